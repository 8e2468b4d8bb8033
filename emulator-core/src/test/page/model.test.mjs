// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut, rowAt, rowAtHeight } from '../../main/resources/dev/verbatim/page/layout.mjs';
import { fit, wrap } from '../../main/resources/dev/verbatim/page/measure.mjs';
import { buildModel, find, firstDifference, rowsOf } from '../../main/resources/dev/verbatim/page/model.mjs';
import { bandsOf } from '../../main/resources/dev/verbatim/page/panel.mjs';
import { stateOf, wayOf } from '../../main/resources/dev/verbatim/page/requests.mjs';
import { bytesText, label, packetText, safe, sentence, timeText } from '../../main/resources/dev/verbatim/page/words.mjs';

const GIDS = { a: 'fe80::1', b: 'fe80::2' };
const other = (device) => (device === 'a' ? 'b' : 'a');

function packet(opcode, psn, more = {}) {
  return { opcode, psn, destQp: 17, ...more };
}

/** Events of two devices with one queue pair each; time is the number of the event. */
class Trace {
  constructor() {
    this.events = [];
  }

  add(kind, device, fields = {}) {
    this.events.push({ kind, timeNanos: this.events.length * 100, device, qp: 17, ...fields });
    return this;
  }

  sent(device, one) {
    return this.add('sent', device, { source: GIDS[device], destination: GIDS[other(device)], packet: one });
  }

  received(device, one) {
    return this.add('received', device, { source: GIDS[other(device)], destination: GIDS[device], packet: one });
  }

  fault(device, one, fault) {
    return this.add('fault', device, { qp: 0, source: GIDS[device], destination: GIDS[other(device)], packet: one, fault });
  }

  passes(from, one) {
    return this.sent(from, one).received(other(from), one);
  }

  model(names) {
    return buildModel({ events: this.events, names });
  }
}

const write = packet('RDMA_WRITE_ONLY', 5, { reth: { remoteAddress: '0x3000', remoteKey: '0x00000102', dmaLengthBytes: 8 }, payloadBytes: 8 });
const ack = packet('ACKNOWLEDGE', 5, { aeth: { meaning: 'ACK' } });
const nak = packet('ACKNOWLEDGE', 5, { aeth: { meaning: 'NAK remote access error' } });

const memory = (effect, address, data, more = {}) => ({ effect, key: '0x00000102', psn: 5, address, lengthBytes: data.length / 2, data, ...more });

function written() {
  return new Trace()
    .add('posted', 'a', { request: 'RDMA_WRITE wr_id=7 length=8 remote=0x3000 rkey=0x00000102', signaled: true })
    .add('started', 'a', { workRequestId: 7, firstPsn: 5, packets: 1 })
    .add('memory', 'a', memory('GATHERED', '0x1000', '0100000000000000'))
    .passes('a', write)
    .add('memory', 'b', memory('PLACED', '0x3000', '0100000000000000', { held: true }))
    .passes('b', ack)
    .add('completed', 'a', { workRequestId: 7, status: 'SUCCESS', opcode: 'RDMA_WRITE', byteLength: 0, refusal: null })
    .add('shown', 'b', { psn: 5, address: '0x3000', lengthBytes: 8, data: '0100000000000000' });
}

test('a packet that arrives is one arrow from its sending to its arrival', () => {
  const { arrows } = new Trace().passes('a', write).model();
  assert.equal(arrows.length, 1);
  assert.deepEqual([arrows[0].sent, arrows[0].end, arrows[0].fate, arrows[0].response], [0, 1, 'arrives', false]);
});

test('a lost packet does not arrive, and its repetition points at it', () => {
  const { arrows } = new Trace().sent('a', write).fault('a', write, 'loses').passes('a', write).model();
  assert.deepEqual(arrows.map((arrow) => arrow.fate), ['lost', 'arrives']);
  assert.deepEqual(arrows.map((arrow) => arrow.repeats), [-1, 0]);
  assert.deepEqual(arrows[0].notes, ['lost by the link']);
});

test('a packet that arrives twice is an arrow and a duplicate from the same sending', () => {
  const { arrows } = new Trace().sent('a', write).fault('a', write, 'duplicates').received('b', write).received('b', write).model();
  assert.deepEqual(arrows.map((arrow) => [arrow.sent, arrow.end, arrow.fate]), [[0, 2, 'arrives'], [0, 3, 'duplicate']]);
});

test('a damaged packet and one without an arrival are told apart', () => {
  const { arrows } = new Trace().sent('a', write).fault('a', write, 'damages').sent('a', packet('RDMA_WRITE_ONLY', 6)).model();
  assert.deepEqual(arrows.map((arrow) => arrow.fate), ['damaged', 'unknown']);
});

test('a dropped packet ends at the device that drops it', () => {
  const { arrows } = new Trace().sent('a', write).add('dropped', 'b', { packet: write, reason: { rule: 'H3-1', sentence: 'not now' } }).model();
  assert.equal(arrows.length, 1);
  assert.deepEqual([arrows[0].end, arrows[0].fate, arrows[0].dropped], [1, 'dropped', 1]);
});

test('acknowledgements that are alike are no repetitions, and a new connection begins anew', () => {
  const trace = new Trace().passes('b', ack).passes('b', ack).passes('a', write)
    .add('connected', 'a', { source: GIDS.a, destination: GIDS.b, destinationQp: 17 }).passes('a', write);
  assert.deepEqual(trace.model().arrows.map((arrow) => arrow.repeats), [-1, -1, -1, -1]);
});

test('the way of a request is all of its events and no other', () => {
  const trace = written();
  trace.add('posted', 'a', { request: 'RDMA_WRITE wr_id=8 length=8', signaled: true });
  const model = trace.model();
  assert.deepEqual(wayOf(model, 0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(wayOf(model, 1), [10]);
});

test('a request is posted, started, acknowledged, completed', () => {
  const [request] = written().model().requests;
  assert.deepEqual([0, 1, 7, 8].map((at) => stateOf(request, at)), ['posted', 'started', 'acknowledged', 'completed']);
});

test('a request that is refused fails, and is not acknowledged', () => {
  const [request] = new Trace()
    .add('posted', 'a', { request: 'RDMA_WRITE wr_id=7 length=8' })
    .add('started', 'a', { workRequestId: 7, firstPsn: 5, packets: 1 })
    .passes('a', write).passes('b', nak)
    .add('completed', 'a', { workRequestId: 7, status: 'REM_ACCESS_ERR', opcode: 'RDMA_WRITE', refusal: { rule: 'WC-45', sentence: 'no' } })
    .model().requests;
  assert.deepEqual([request.acknowledged, stateOf(request)], [-1, 'failed']);
});

test('an acknowledgement is for earlier requests too, and PSNs wrap', () => {
  const trace = new Trace();
  for (const [id, psn] of [[1, 0xffffff], [2, 0]]) {
    trace.add('posted', 'a', { request: 'SEND wr_id=' + id + ' length=0' }).add('started', 'a', { workRequestId: id, firstPsn: psn, packets: 1 });
  }
  trace.passes('b', packet('ACKNOWLEDGE', 0, { aeth: { meaning: 'ACK' } }));
  assert.deepEqual(trace.model().requests.map((request) => request.acknowledged), [5, 5]);
});

test('a receive takes part in the way of the message that it takes', () => {
  const send = packet('SEND_ONLY', 5, { payloadBytes: 3 });
  const model = new Trace()
    .add('posted', 'b', { request: 'RECV wr_id=1 elements=1' })
    .add('posted', 'a', { request: 'SEND wr_id=2 length=3' })
    .add('started', 'a', { workRequestId: 2, firstPsn: 5, packets: 1 })
    .passes('a', send)
    .add('completed', 'b', { workRequestId: 1, status: 'SUCCESS', opcode: 'RECV', byteLength: 3 })
    .model();
  assert.deepEqual(wayOf(model, 1), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(wayOf(model, 0), [0, 1, 2, 3, 4, 5]);
});

test('what is placed is not shown before the device shows it', () => {
  const model = written().model();
  const spot = model.regions.flatMap((region) => region.spots).find((one) => one.device === 'b');
  const after = (at) => {
    const value = model.memory.at(at).get(spot);
    return [value.placed && bytesText(value.placed), value.shown && bytesText(value.shown), value.held];
  };
  assert.deepEqual(after(5), ['1', null, true]);
  assert.deepEqual(after(9), ['1', '1', false]);
  assert.deepEqual(after(4), [null, null, false], 'and back');
});

test('in a memory domain bytes are accepted, arrive, are seen and are durable one after the other', () => {
  const bytes = { address: '0x3000', lengthBytes: 8 };
  const view = (behind) => ({ ...bytes, domain: 'pm', persistent: true, behind });
  const model = new Trace()
    .add('memory', 'b', { ...bytes, effect: 'PLACED', psn: 5, held: true, data: '0100000000000000' })
    .add('view', 'b', view('b/gpu0 b/power'))
    .add('shown', 'b', { ...bytes, psn: 5, data: '0100000000000000' })
    .add('older', 'b', { ...bytes, observer: 'b/gpu0', seen: '0', missed: '1' })
    .add('program', 'b', { ...bytes, store: false, data: '0000000000000000' })
    .add('view', 'b', view('b/power'))
    .add('view', 'b', view(''))
    .model({ '0x3000': 'x' });
  const [region] = model.regions;
  const after = (at) => {
    const value = model.memory.at(at).get(region.spots[0]);
    return bandsOf(region, model.memory.at(at)).map(({ name, title }) => name + ': ' + title(value));
  };
  assert.deepEqual(after(0), ['placed: placed 1', 'shown: shown —']);
  assert.deepEqual(after(2), ['accepted: accepted 1', 'arrived: arrived 1', 'visible: not yet seen by b/gpu0', 'durable: may be lost when power fails']);
  assert.deepEqual(after(4), after(2), 'an older value that was loaded is not what memory holds');
  assert.equal(after(5)[2], 'visible: seen by all');
  assert.equal(after(6)[3], 'durable: durable');
  assert.equal(label(model.events[3], model), 'b/gpu0 sees 0 at x, misses 1');
  assert.equal(label(model.events[1], model), 'x of pm arrived, not yet seen by b/gpu0, not yet durable');
});

test('an access through a dead key points at what revoked it', () => {
  const key = (valid) => ({ qp: 0, key: '0x00000102', valid, address: '0x3000', memoryAddress: '0x3000', lengthBytes: 64, what: 'window 1 of TYPE_2' });
  const model = new Trace().add('key', 'b', key(true)).passes('a', write).add('key', 'b', key(false)).passes('a', { ...write, psn: 6 }).model();
  assert.deepEqual([...model.deadKeys], [[5, 3]]);
  assert.deepEqual(model.keys.map((one) => [one.from, one.to]), [[0, 3]]);
});

test('queues have the depths that posts and completions give them', () => {
  const [queue] = written().model().queues;
  assert.deepEqual([queue.name, queue.most, queue.points], ['17 sends', 1, [[0, 1], [8, 0]]]);
});

const completed = (id, more = {}) => ({ cq: 2, workRequestId: id, status: 'SUCCESS', opcode: 'RDMA_WRITE', byteLength: 0, refusal: null, ...more });

function posts(...ids) {
  const trace = new Trace();
  ids.forEach((id) => trace.add('posted', 'a', { request: 'RDMA_WRITE wr_id=' + id + ' length=8' }));
  return trace;
}

test('the poll of its completion is the end of the way of a request', () => {
  const trace = written();
  trace.events[8].cq = 1;
  const model = trace.add('polled', 'a', { cq: 1, workRequestId: 7, left: 0 }).model();
  assert.equal(model.requests[0].polled, 10);
  assert.deepEqual(wayOf(model, 0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(stateOf(model.requests[0]), 'completed');
  assert.equal(label(model.events[10], model), 'poll wr_id=7 of cq 1, 0 left');
});

test('a receive and a send of one number are polled in the order in which they completed', () => {
  const model = posts(5).add('posted', 'a', { request: 'RECV wr_id=5 elements=0' })
    .add('completed', 'a', completed(5, { opcode: 'RECV' })).add('completed', 'a', completed(5))
    .add('polled', 'a', { cq: 2, workRequestId: 5, left: 1 }).add('polled', 'a', { cq: 2, workRequestId: 5, left: 0 }).model();
  assert.deepEqual(model.requests.map((request) => [request.receive, request.polled]), [[false, 5], [true, 4]]);
});

test('a completion that was purged is not polled in place of a later one', () => {
  const model = posts(5, 5).add('completed', 'a', completed(5)).add('completed', 'a', completed(5))
    .add('polled', 'a', { cq: 2, workRequestId: 5, left: 0 }).model();
  assert.deepEqual(model.requests.map((request) => request.polled), [-1, 4]);
});

test('completion queues rise with completions and fall with polls to what is left', () => {
  const model = posts(1, 2, 3).add('completed', 'a', completed(1)).add('completed', 'a', completed(2)).add('completed', 'a', completed(3))
    .add('polled', 'a', { cq: 2, workRequestId: 1, left: 1 }).add('polled', 'a', { cq: 2, workRequestId: 3, left: 0 }).model();
  const queue = model.queues.find((one) => one.name === 'cq 2');
  assert.deepEqual([queue.device, queue.most, queue.points], ['a', 3, [[3, 1], [4, 2], [5, 3], [6, 1], [7, 0]]]);
});

test('a trace without polls has no completion queues, and is drawn as before', () => {
  const model = written().model();
  assert.deepEqual(model.queues.map((queue) => queue.name), ['17 sends']);
  assert.equal(model.requests[0].polled, -1);
  assert.equal(label(model.events[8], model), 'complete wr_id=7 SUCCESS');
});

test('rules stand beside the event of their device', () => {
  const trace = new Trace().add('decided', 'a', { rule: 'QP-1' }).add('state', 'a', { from: 'RESET', to: 'INIT', reason: null });
  trace.events.push({ kind: 'decided', timeNanos: 100, device: 'a', qp: 17, rule: 'QP-2' });
  const model = trace.model();
  assert.deepEqual([...model.rules], [[1, [0, 2]]]);
  assert.deepEqual(rowsOf(model), [1]);
});

test('filters hide kinds, devices and queue pairs', () => {
  const model = written().model();
  assert.equal(rowsOf(model).length, 10);
  assert.equal(rowsOf(model, { kinds: new Set(['memory']) }).length, 8);
  assert.equal(rowsOf(model, { devices: new Set(['b']) }).length, 6);
  assert.equal(rowsOf(model, { lanes: new Set(['a 17']) }).length, 4);
});

test('find goes on and around, in both directions', () => {
  const model = written().model();
  const rows = rowsOf(model);
  assert.deepEqual(find(model, rows, 'WRITE_ONLY', -1, 1), { hit: 3, number: 1, of: 2 });
  assert.equal(find(model, rows, 'write_only', 3, 1).hit, 4);
  assert.equal(find(model, rows, 'write_only', 4, 1).hit, 3);
  assert.equal(find(model, rows, 'write_only', 3, -1).hit, 4);
  assert.equal(find(model, rows, 'nothing like it', 3, 1).hit, -1);
  for (const same of ['psn=5', 'psn 5', 'PSN: 5']) {
    assert.equal(find(model, rows, same, -1, 1).hit, 3, same);
  }
  for (const same of ['wr_id=7', 'wr_id 7', 'rkey=0x102', 'rkey 0x00000102']) {
    assert.equal(find(model, rows, same, -1, 1).hit, find(model, rows, 'wr_id=7', -1, 1).hit, same);
    assert.notEqual(find(model, rows, same, -1, 1).hit, -1, same);
  }
});

test('the first difference of two runs does not count times', () => {
  const late = written();
  late.events.forEach((event) => {
    event.timeNanos += 5;
  });
  assert.equal(firstDifference(written().model(), late.model()), null);
  late.events[5].held = false;
  assert.deepEqual(firstDifference(written().model(), late.model()), { one: 5, other: 5 });
});

test('the first difference does not count until when events came again, and the caption says it', () => {
  const again = (untilNanos) => {
    const trace = written();
    trace.events.push({ kind: 'caption', title: 'the event before this line, 7 times more', text: '', timeNanos: untilNanos, untilNanos });
    return trace.model();
  };
  assert.equal(firstDifference(again(1_500_000), again(2_500_000)), null);
  assert.equal(label(again(1_500_000).events[10], again(1_500_000)), 'the event before this line, 7 times more, until 1.500 ms');
});

test('text of a trace shows its control characters and has an end', () => {
  assert.equal(safe('a\u202eb\u0000'), 'a⟨U+202E⟩b⟨U+0000⟩');
  assert.equal(safe('x'.repeat(1 << 20), 10), 'x'.repeat(10) + '…');
  assert.equal(safe(null), '');
});

test('labels have opcode, PSN, key and length', () => {
  assert.equal(packetText(write), 'WRITE_ONLY · psn 5 · 0x00000102 · 8 B');
  assert.equal(packetText(nak), 'NAK remote access error · psn 5');
  assert.equal(label({ kind: 'posted', request: 'RDMA_WRITE wr_id=7 length=8 remote=0x3000 rkey=0x1' }), 'post WRITE wr_id=7, 8 B');
});

test('names of a scenario stand for addresses', () => {
  const model = new Trace().add('shown', 'b', { psn: 1, address: '0x7f0000003000', lengthBytes: 8, data: '' }).model({ '0x7f0000003000': 'flag' });
  assert.equal(label(model.events[0], model), 'shows 8 B at flag');
});

test('a sentence has time, place, event and why', () => {
  const model = new Trace().add('state', 'a', { from: 'RTS', to: 'ERR', reason: { rule: 'WC-45', sentence: 'because' } }).model();
  assert.equal(sentence(model.events[0], model), '0.0 µs, a qp 0x11, RTS → ERR, because [WC-45]');
});

test('times have the unit that suits them', () => {
  assert.deepEqual([100, 2e6, 3e9].map(timeText), ['0.1 µs', '2.000 ms', '3.000 s']);
});

test('bytes are text, a number or hexadecimal', () => {
  assert.equal(bytesText([72, 105]), '“Hi”');
  assert.equal(bytesText([255, 255, 255, 255, 255, 255, 255, 255]), '-1');
  assert.equal(bytesText([0, 1]), '00 01');
});

test('text is cut where it does not fit, and broken between words', () => {
  const measure = (text) => text.length;
  assert.equal(fit('abcdef', 4, measure), 'abc…');
  assert.equal(fit('abc', 4, measure), 'abc');
  assert.deepEqual(wrap('one two three', 7, measure), ['one two', 'three']);
});

test('a word of a hostile trace is not measured as a whole', () => {
  let measured = 0;
  const lines = wrap('x'.repeat(1 << 20), 40, (text) => {
    measured += text.length;
    return text.length;
  });
  assert.equal(lines.join(''), 'x'.repeat(400) + '…');
  assert.ok(measured < 20000);
});

test('every event has a row below the one before, and no row is lost', () => {
  const model = written().model();
  const rows = rowsOf(model);
  const layout = layOut(model, rows, { width: 900, measure: (text) => text.length * 6, keys: true, queues: true });
  rows.forEach((event, row) => {
    assert.equal(rowAt(layout, event), row);
    assert.ok(layout.top[row + 1] > layout.top[row]);
    assert.equal(rowAtHeight(layout, layout.top[row] + 3), row);
  });
  assert.equal(layout.bars.length, 1);
  assert.equal(layout.arrowRows.filter((arrow) => arrow.shown).length, 2);
  assert.deepEqual(layout.arrowsAt.within(0, rows.length), [0, 1]);
  assert.deepEqual(layout.arrowsAt.within(200, 300), []);
});

test('an event that a filter hides has the row of the next that is shown', () => {
  const model = written().model();
  const filter = { kinds: new Set(['memory', 'started', 'shown']) };
  const layout = layOut(model, rowsOf(model, filter), { width: 900, measure: (text) => text.length * 6, filter });
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 9].map((event) => rowAt(layout, event)), [0, 1, 1, 1, 2, 3, 3, 5]);
});

test('the model of a hundred thousand events has them all', () => {
  const trace = new Trace();
  for (let id = 0; trace.events.length < 100_000; id++) {
    const psn = id & 0xffffff;
    trace.add('posted', 'a', { request: 'RDMA_WRITE wr_id=' + id + ' length=8' })
      .add('started', 'a', { workRequestId: id, firstPsn: psn, packets: 1 })
      .passes('a', { ...write, psn })
      .add('memory', 'b', { ...memory('PLACED', '0x' + (0x3000 + (id % 64) * 8).toString(16), '0100000000000000'), psn })
      .passes('b', { ...ack, psn })
      .add('completed', 'a', { workRequestId: id, status: 'SUCCESS', opcode: 'RDMA_WRITE' });
  }
  const model = trace.model();
  assert.equal(model.arrows.length, trace.events.filter((event) => event.kind === 'sent').length);
  assert.ok(model.arrows.every((arrow) => arrow.fate === 'arrives'));
  assert.equal(model.requests.length, trace.events.filter((event) => event.kind === 'posted').length);
  assert.ok(model.requests.every((request) => request.events.length === 8));
});
