// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drawing, drawHead } from '../../main/resources/dev/verbatim/page/draw.mjs';
import { layOut, rowAt } from '../../main/resources/dev/verbatim/page/layout.mjs';
import { buildModel, rowsOf } from '../../main/resources/dev/verbatim/page/model.mjs';

/** As much of an element as the drawing needs. */
class Element {
  constructor(name) {
    this.name = name;
    this.attributes = {};
    this.children = [];
  }

  setAttribute(key, value) {
    this.attributes[key] = value;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  withClass(name) {
    const own = String(this.attributes.class ?? '').split(' ').includes(name) ? [this] : [];
    return own.concat(...this.children.map((child) => child.withClass(name)));
  }
}

globalThis.document = { createElementNS: (_, name) => new Element(name) };

const ROWS = 12;
const GIDS = { a: 'fe80::1', b: 'fe80::2' };
const measure = (text) => text.length * 6;
const write = (psn) => ({ opcode: 'RDMA_WRITE_ONLY', psn, destQp: 17, reth: { remoteAddress: '0x3000', remoteKey: '0x00000102', dmaLengthBytes: 8 }, payloadBytes: 8 });

/** Events of which the last sends a packet again, or uses a dead key, far below the first. */
function far() {
  const events = [];
  const add = (kind, device, fields) => events.push({ kind, timeNanos: events.length * 100, device, qp: 17, ...fields });
  const key = (valid) => add('key', 'b', { qp: 0, key: '0x00000102', valid, address: '0x3000', memoryAddress: '0x3000', lengthBytes: 64, what: 'window 1 of TYPE_2' });
  const sent = (psn) => add('sent', 'a', { source: GIDS.a, destination: GIDS.b, packet: write(psn) });
  key(true);
  key(false);
  sent(5);
  for (let i = 0; i < 60; i++) {
    add('program', 'a', { store: false, address: '0x1000', lengthBytes: 8, data: '' });
  }
  sent(5);
  add('received', 'b', { source: GIDS.a, destination: GIDS.b, packet: write(5) });
  return events;
}

/** What each piece of twelve rows has of a class. */
function drawnIn(events, name) {
  const model = buildModel({ events });
  const rows = rowsOf(model);
  const layout = layOut(model, rows, { width: 900, measure, keys: true, queues: true });
  const artist = new Drawing(model, layout, measure, -1);
  const pieces = [];
  for (let from = 0; from < rows.length; from += ROWS) {
    const target = new Element('svg');
    artist.draw(target, from, Math.min(rows.length, from + ROWS), false);
    pieces.push({ paths: target.withClass(name), height: layout.top[Math.min(rows.length, from + ROWS)] - layout.top[from], nodes: artist.nodes });
  }
  return { pieces, model, layout };
}

const heights = (path) => [...path.attributes.d.matchAll(/[MLV](?:[-\d.]+,)?([-\d.]+)/g)].map((match) => Number(match[1]));

/** Each piece between the first and the last has the line from its upper edge to its lower edge. */
function goesThrough(pieces) {
  assert.ok(pieces.length > 4);
  pieces.forEach(({ paths, height }, i) => {
    assert.equal(paths.length, 1, 'piece ' + i);
    const ys = heights(paths[0]);
    assert.equal(Math.min(...ys) < 0, i > 0, 'upper edge of piece ' + i);
    assert.equal(Math.max(...ys) > height, i + 1 < pieces.length, 'lower edge of piece ' + i);
  });
}

test('the bracket of a packet that is sent again goes through all pieces to what it repeats', () => {
  const { pieces, model, layout } = drawnIn(far(), 'repeats');
  goesThrough(pieces);
  const again = model.arrows.find((arrow) => arrow.repeats >= 0);
  assert.ok(rowAt(layout, again.sent) - rowAt(layout, again.repeats) > 4 * ROWS);
  pieces.forEach(({ paths, nodes }) => assert.ok(nodes.get(again.sent).some((node) => node.withClass('repeats').includes(paths[0])), 'and lights with the packet'));
});

test('the line of an access through a dead key goes through all pieces to what revoked the key', () => {
  const { pieces, model } = drawnIn(far(), 'deadkey');
  goesThrough(pieces);
  const [[access]] = model.deadKeys;
  pieces.forEach(({ paths, nodes }) => assert.ok(nodes.get(access).includes(paths[0]), 'and lights with the access'));
});

test('brackets that go through a piece beside each other are drawn there once', () => {
  const events = far();
  const again = events.at(-2);
  for (let i = 0; i < 40; i++) {
    events.push({ ...again, timeNanos: events.length * 100 });
  }
  const { pieces } = drawnIn(events, 'repeats');
  assert.deepEqual(pieces.slice(1, 4).map(({ paths }) => paths.length), [1, 1, 1]);
});

test('a hidden access has no line to what revoked its key', () => {
  const model = buildModel({ events: far() });
  const rows = rowsOf(model, { kinds: new Set(['received']) });
  const layout = layOut(model, rows, { width: 900, measure, filter: { kinds: new Set(['received']) }, keys: true, queues: true });
  const target = new Element('svg');
  new Drawing(model, layout, measure, -1).draw(target, 0, rows.length, true);
  assert.equal(target.withClass('deadkey').length, 0);
  assert.equal(target.withClass('repeats').length, 1);
});

/** A WRITE of one device to another, with a completion whose text fits beside no device. */
function near(inFlight) {
  const events = [];
  const add = (kind, device, fields) => events.push({ kind, timeNanos: events.length * 100, device, qp: 17, ...fields });
  const packet = write(153740);
  add('state', 'a', { from: 'RESET', to: 'INIT' });
  add('sent', 'a', { source: GIDS.a, destination: GIDS.b, packet });
  if (inFlight) {
    add('completed', 'a', { workRequestId: 123456, status: 'REM_ACCESS_ERR' });
  }
  add('received', 'b', { source: GIDS.a, destination: GIDS.b, packet });
  add('completed', 'b', { workRequestId: 123456, status: 'REM_ACCESS_ERR' });
  add('completed', 'a', { workRequestId: 123456, status: 'REM_ACCESS_ERR' });
  return events;
}

/** The drawing of these events as a whole, and the box of each label in it. */
function labelsOf(events, width) {
  const model = buildModel({ events });
  const rows = rowsOf(model);
  const layout = layOut(model, rows, { width, measure, keys: true, queues: false });
  const target = new Element('svg');
  new Drawing(model, layout, measure, -1).draw(target, 0, rows.length, true);
  const labels = target.withClass('label').map(({ attributes: { x, y, ...rest }, textContent }) => {
    const wide = measure(textContent);
    const left = { start: x, middle: x - wide / 2, end: x - wide }[rest['text-anchor']];
    return { text: textContent, kind: rest.class, left, right: left + wide, top: y - 9, bottom: y };
  });
  return { labels, target, layout };
}

const failed = ({ text }) => text.startsWith('complete');

test('an arrow does not cross its label, however long that is', () => {
  for (const width of [400, 800, 1400]) {
    const { labels, target } = labelsOf(near(false), width);
    const { text, left, right, bottom } = labels.find((label) => label.text.startsWith('WRITE_ONLY'));
    assert.ok(text.endsWith('8 B'), text);
    const { x1, y1, x2, y2 } = target.withClass('arrow')[0].children[0].attributes;
    const height = (x) => y1 + ((y2 - y1) * (x - x1)) / (x2 - x1);
    assert.ok(Math.max(left, x1) < Math.min(right, x2));
    assert.ok([Math.max(left, x1), Math.min(right, x2)].every((x) => height(x) > bottom), 'at width ' + width);
  }
});

test('a label that does not fit beside its device stands across the others, and within the drawing', () => {
  const { labels, layout } = labelsOf(near(false), 700);
  const [ofB, ofA] = labels.filter(failed);
  assert.ok(layout.textWidth < measure(ofA.text));
  assert.equal(ofA.text, 'complete wr_id=123456 REM_ACCESS_ERR');
  assert.equal(ofB.text, ofA.text);
  const [a, b] = layout.groups;
  assert.ok(a.to < ofA.left && ofA.right < layout.textEnd);
  assert.ok(ofB.right < b.from && ofB.left > 84);
});

test('a label is broken into lines where a packet is on its way across the others', () => {
  for (const width of [500, 700]) {
    const { labels, layout } = labelsOf(near(true), width);
    const beside = labels.filter(({ left, right }) => left > 84 && right < layout.groups[0].from);
    const lines = beside.filter(({ kind }) => kind.includes('of-completed'));
    assert.ok(lines.length > 1);
    assert.equal(lines.map(({ text }) => text).join('').replaceAll(' ', ''), 'completewr_id=123456REM_ACCESS_ERR');
    for (let i = 1; i < beside.length; i++) {
      assert.ok(beside[i].top > beside[i - 1].bottom);
    }
  }
});

test('heads of keys name their device, and are as high as the longest text', () => {
  const events = [['a', '0x00000102'], ['b', '0x00000102']].map(([device, key], i) => (
    { kind: 'key', timeNanos: i, device, qp: 0, key, valid: true, address: '0x3000', memoryAddress: '0x3000', lengthBytes: 64, what: 'region access=REMOTE_READ' }));
  const { layout } = labelsOf([...events, ...near(false)], 900);
  const head = new Element('svg');
  const height = drawHead(head, null, layout, measure);
  assert.deepEqual(head.withClass('keyhead').map(({ textContent }) => textContent), ['a 0x00000102 R', 'b 0x00000102 R']);
  assert.equal(height, 36 + measure('a 0x00000102 R'));
  assert.equal(head.attributes.height, height);
});
