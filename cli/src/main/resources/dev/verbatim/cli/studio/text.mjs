// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

const MOST_COMPLETIONS = 8;

/** The word that ends at `at`, and where it begins. */
export function wordBefore(text, at) {
  let begin = at;
  while (begin > 0 && /[A-Za-z0-9_]/.test(text[begin - 1])) {
    begin--;
  }
  return { begin, word: text.slice(begin, at) };
}

/** The words that may be meant, at most eight: those that begin with what is there, but are not it; those in the same case first. */
export function completionsOf(words, word) {
  const wanted = word.toLowerCase();
  const found = words.filter((each) => each.toLowerCase().startsWith(wanted) && each !== word);
  const same = found.filter((each) => each.startsWith(word));
  return [...same, ...found.filter((each) => !each.startsWith(word))].slice(0, MOST_COMPLETIONS);
}

/** Line and column of a place in a text, both from 0. */
export function placeOf(text, at) {
  const before = text.slice(0, at).split('\n');
  return { line: before.length - 1, column: before[before.length - 1].length };
}

/** Where a line begins; from 1, as parsers count. Behind the last line it is the end. */
export function beginOfLine(text, line) {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const end = text.indexOf('\n', at);
    if (end < 0) {
      return text.length;
    }
    at = end + 1;
  }
  return at;
}

/** The text in pieces: `[kind, piece]`, where a kind is key, value, comment, or empty for what stands between them. */
export function piecesOf(text) {
  const pieces = [];
  const token = /(?<=^|\s)(#.*)|-(?=\s)|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s{}[\],:#][^\n{}[\],:#]*/gm;
  let at = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > at) {
      pieces.push(['', text.slice(at, match.index)]);
    }
    const [piece, comment] = match;
    const isKey = /^:(\s|$)/.test(text.slice(match.index + piece.length, match.index + piece.length + 2)) && !/\s/.test(piece);
    pieces.push([comment ? 'comment' : piece === '-' ? '' : isKey ? 'key' : 'value', piece]);
    at = match.index + piece.length;
  }
  if (at < text.length) {
    pieces.push(['', text.slice(at)]);
  }
  return pieces;
}

/** The fragment of a link that holds a scenario. It holds nothing else, so it can be given to others. */
export function linkOf(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const each of bytes) {
    binary += String.fromCharCode(each);
  }
  return 'scenario=' + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The scenario that a link holds; null if it holds none. */
export function textOf(fragment) {
  const match = /^#?scenario=([A-Za-z0-9_-]*)$/.exec(fragment);
  if (!match) {
    return null;
  }
  try {
    const binary = atob(match[1].replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The name of the file that a scenario is saved as: the first word of its title. */
export function fileNameOf(text) {
  const match = /^title:\s*["']?([A-Za-z0-9][\w.-]{0,40})/m.exec(text);
  return (match ? match[1] : 'scenario') + '.yaml';
}
