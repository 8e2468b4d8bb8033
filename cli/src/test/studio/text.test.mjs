// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginOfLine, completionsOf, fileNameOf, linkOf, piecesOf, placeOf, textOf, wordBefore } from '../../main/resources/dev/verbatim/cli/studio/text.mjs';

test('word before the cursor is what is completed', () => {
  assert.deepEqual(wordBefore('  - wri', 7), { begin: 4, word: 'wri' });
  assert.deepEqual(wordBefore('- ', 2), { begin: 2, word: '' });
  assert.deepEqual(wordBefore('write', 3), { begin: 0, word: 'wri' });
});

test('completions begin with the word and are at most eight, those in the same case first', () => {
  assert.deepEqual(completionsOf(['read', 'write', 'write_imm'], 'wri'), ['write', 'write_imm']);
  assert.deepEqual(completionsOf(['write'], 'write'), []);
  assert.deepEqual(completionsOf(['REMOTE_READ'], 'rem'), ['REMOTE_READ']);
  assert.equal(completionsOf(Array.from({ length: 40 }, (_, i) => 'w' + i), 'w').length, 8);
  assert.deepEqual(completionsOf(['NO', 'NOT', 'nodes'], 'no'), ['nodes', 'NO', 'NOT']);
});

test('places are lines and columns', () => {
  assert.deepEqual(placeOf('a\nbc', 3), { line: 1, column: 1 });
  assert.equal(beginOfLine('a\nbc\nd', 1), 0);
  assert.equal(beginOfLine('a\nbc\nd', 3), 5);
  assert.equal(beginOfLine('a', 9), 1);
});

test('a link holds any text and nothing else', () => {
  for (const text of ['', 'title: x\n', 'Gr\u00fc\u00dfe \u{1F600} </script>', '\u0000?&#=']) {
    assert.equal(textOf('#' + linkOf(text)), text);
  }
  assert.match(linkOf('anything \u00ff\u00fe'), /^scenario=[A-Za-z0-9_-]+$/);
});

test('what is no link holds no text', () => {
  for (const fragment of ['', '#', '#scenario=%00', '#scenario=A', '#token=00', '#scenario=_w']) {
    assert.equal(textOf(fragment), null);
  }
});

test('files are named by the first word of the title', () => {
  assert.equal(fileNameOf('title: LT-02 A WRITE\n'), 'LT-02.yaml');
  assert.equal(fileNameOf('title: "../x"\n'), 'scenario.yaml');
  assert.equal(fileNameOf(''), 'scenario.yaml');
});

test('keys, values and comments are told apart, and nothing of the text is lost', () => {
  const kinds = (text) => piecesOf(text).filter(([kind]) => kind).map(([kind, piece]) => kind[0] + ':' + piece).join(' ');
  assert.equal(kinds('nodes:\n  a: {words: {x: -1}} # why\n'), 'k:nodes k:a k:words k:x v:-1 c:# why');
  assert.equal(kinds('- await: ready\n- {"q": \'a: b\'}'), 'k:await v:ready k:"q" v:\'a: b\'');
  assert.equal(kinds('about: >-\n  two words: no key'), 'k:about v:>- v:two words v:no key');
  for (const text of ['', '#', 'x:', ': : :', '"never closed\n\'', '[{,}]', '\u{1F600}: <b>', '-\n- -1\n']) {
    assert.equal(piecesOf(text).map(([, piece]) => piece).join(''), text);
  }
});
