// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
"use strict";

// Finds sections that have all words; one in a title counts for more than any number in the text.
const most = 20;
const root = document.querySelector("nav").dataset.root;
const results = document.getElementById("results");

function weight(section, words) {
  const title = (section.document + " " + section.title).toLowerCase();
  const text = section.text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const inText = text.split(word).length - 1;
    const inTitle = title.includes(word) ? 100 : 0;
    if (inText + inTitle === 0) {
      return 0;
    }
    sum += Math.min(inText, 20) + inTitle;
  }
  return sum;
}

function excerpt(section, word) {
  const at = Math.max(0, section.text.toLowerCase().indexOf(word) - 30);
  return section.text.slice(at, at + 100);
}

function line(section, words) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = root + section.page;
  link.textContent = section.title === section.document ? section.title : section.document + ": " + section.title;
  const text = document.createElement("small");
  text.textContent = excerpt(section, words[0]);
  item.append(link, text);
  return item;
}

document.getElementById("search").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter((word) => word);
  const found = words.length === 0 ? [] : sections
    .map((section) => ({ section, weight: weight(section, words) }))
    .filter((each) => each.weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, most);
  results.replaceChildren(...found.map((each) => line(each.section, words)));
  if (words.length > 0 && found.length === 0) {
    results.append("nothing found");
  }
});
document.documentElement.dataset.ready = "true";
