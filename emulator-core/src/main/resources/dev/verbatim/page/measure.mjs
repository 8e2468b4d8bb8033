// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// Text that fits: cut with an ellipsis, or broken into lines.

const CACHE_MOST = 20000;

/** Words in lines are not longer. */
const MOST_OF_WORD = 400;

/** A function (text, size) that gives widths in pixels; measured with a canvas, and remembered. */
export function textMeasure(family) {
  const context = document.createElement('canvas').getContext('2d');
  const cache = new Map();
  return (text, size = 12) => {
    const key = size + text;
    let width = cache.get(key);
    if (width === undefined) {
      context.font = size + 'px ' + family;
      width = context.measureText(text).width;
      if (cache.size > CACHE_MOST) {
        cache.clear();
      }
      cache.set(key, width);
    }
    return width;
  };
}

/** The text, or as much of its beginning as fits, with an ellipsis. */
export function fit(text, width, measure) {
  if (measure(text) <= width) {
    return text;
  }
  const most = beginning(text, width, measure, '…');
  return most > 0 ? text.slice(0, most).trimEnd() + '…' : '';
}

/** How many characters of the text fit with what follows them. */
function beginning(text, width, measure, behind) {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (measure(text.slice(0, mid) + behind) <= width) {
      low = mid;
    } else {
      high = mid - 1;
    }
  }
  return low;
}

/**
 * The text in lines that fit; a word that is too long goes on in the next, where it can behind a part of a name. Of a word of more than 400
 * characters, which no label has and a hostile trace may have, only the beginning is there.
 */
export function wrap(text, width, measure) {
  const lines = [];
  let line = '';
  for (const whole of text.split(' ').filter((one) => one)) {
    const word = whole.length > MOST_OF_WORD ? whole.slice(0, MOST_OF_WORD) + '…' : whole;
    const longer = line ? line + ' ' + word : word;
    if (line && measure(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
    while (measure(line) > width && line.length > 1) {
      const most = Math.max(1, beginning(line, width, measure, ''));
      const part = /^.*[_=,]/.exec(line.slice(0, most))?.[0] ?? line.slice(0, most);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  if (line) {
    lines.push(line);
  }
  return lines;
}
