// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// Text for people: numbers, bytes, packets, and one sentence for each event.

const LONGEST_TEXT = 400;

// Characters that change the direction or the look of the text around them, or that show nothing.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The text with control characters written out, and at most so many characters long. */
export function safe(text, most = LONGEST_TEXT) {
  const all = String(text ?? '');
  const cut = all.length > most ? all.slice(0, most) + '…' : all;
  return cut.replace(INVISIBLE, (c) => '⟨U+' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '⟩');
}

/** 17 as 0x11. */
export function hex(number) {
  return '0x' + number.toString(16);
}

/** A key with all its eight digits, as messages and traces have it. */
export function keyText(key) {
  return '0x' + String(key).replace(/^0x/, '').padStart(8, '0');
}

/** 1 packet, 2 packets. */
export function count(number, noun) {
  return number + ' ' + noun + (number === 1 ? '' : 's');
}

/** A time since the first event. */
export function timeText(nanos) {
  if (nanos < 1e6) {
    return (nanos / 1e3).toFixed(1) + ' µs';
  }
  return nanos < 1e9 ? (nanos / 1e6).toFixed(3) + ' ms' : (nanos / 1e9).toFixed(3) + ' s';
}

/** Bytes as text where all can be printed, eight bytes as a number, others in hexadecimal. */
export function bytesText(bytes, most = 24) {
  const printable = bytes.length > 0 && bytes.every((b) => b >= 32 && b < 127);
  if (printable && bytes.length !== 8) {
    const text = String.fromCharCode(...bytes.slice(0, most));
    return '“' + text + (bytes.length > most ? '…' : '') + '”';
  }
  if (bytes.length === 8) {
    let value = 0n;
    for (let i = 7; i >= 0; i--) {
      value = (value << 8n) | BigInt(bytes[i]);
    }
    return BigInt.asIntN(64, value).toString();
  }
  const shown = Array.from(bytes.slice(0, most / 2), (b) => b.toString(16).padStart(2, '0')).join(' ');
  return shown + (bytes.length > most / 2 ? ' …' : '');
}

/** The bytes of a hexadecimal string. */
export function bytesOf(data) {
  const bytes = new Uint8Array((data ?? '').length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = parseInt(data.substr(2 * i, 2), 16);
  }
  return bytes;
}

/** RDMA_WRITE_ONLY_WITH_IMM as WRITE_ONLY_WITH_IMM; the transport, if it is not RC, stays. */
export function opcodeText(opcode) {
  return opcode === 'ACKNOWLEDGE' ? 'ACK' : opcode.replace('RDMA_', '').replace('ACKNOWLEDGE', 'ACK');
}

/** Whether a packet answers another. */
export function isResponse(packet) {
  return /ACKNOWLEDGE|READ_RESPONSE/.test(packet.opcode);
}

/** NAK, RNR NAK, or nothing for an ACK. */
export function nakOf(packet) {
  const meaning = packet.aeth?.meaning ?? '';
  return /NAK/.test(meaning) ? meaning : '';
}

/** What stands on an arrow: opcode, PSN, key, length. */
export function packetText(packet) {
  const nak = nakOf(packet);
  const parts = [nak || opcodeText(packet.opcode), 'psn ' + packet.psn];
  const key = packet.reth?.remoteKey ?? packet.atomicEth?.remoteKey ?? packet.ieth?.invalidateKey;
  if (key) {
    parts.push(keyText(key));
  }
  if (packet.reth && /READ_REQUEST/.test(packet.opcode)) {
    parts.push(packet.reth.dmaLengthBytes + ' B');
  } else if (packet.payloadBytes) {
    parts.push(packet.payloadBytes + ' B');
  }
  return parts.join(' · ');
}

const FAULTS = { loses: 'lost', damages: 'damaged', duplicates: 'duplicated', delays: 'delayed' };

/** What a link did, of the packet: lost, damaged, duplicated, delayed by a time. */
export function faultText(fault) {
  return fault.replace(/\b(loses|damages|duplicates|delays)\b/g, (word) => FAULTS[word]);
}

/** RDMA_WRITE wr_id=2 length=43 remote=... rkey=... as WRITE wr_id=2, 43 B. */
export function requestText(request) {
  const length = /length=(\d+)/.exec(request)?.[1];
  const [opcode, id] = request.split(' ');
  return opcode.replace(/^(RDMA|ATOMIC)_/, '') + ' ' + id + (length === undefined ? '' : ', ' + length + ' B');
}

const EFFECTS = {
  GATHERED: 'gathers', FETCHED: 'fetches', PLACED: 'places', ATOMIC: 'changes atomically', RETURNED: 'places the answer,',
};

const CHANGES = {
  ALLOCATED: 'is allocated', BOUND: 'is bound', UNBOUND: 'is unbound', INVALIDATED: 'is invalidated by LOCAL_INV',
  INVALIDATED_BY_PEER: 'is invalidated by the peer', DEALLOCATED: 'is deallocated',
};

/** An address: its name, or its offset in the region of its device. */
function place(event, model) {
  return model.places?.(event) ?? event.address;
}

/** What bytes that arrived lack, by the observers that may still see an older value: `NODE/power` is what a power failure keeps. */
export function lackText(behind) {
  const unseen = behind.filter((name) => !name.endsWith('/power'));
  const parts = unseen.length > 0 ? ['not yet seen by ' + unseen.join(', ')] : [];
  return parts.concat(unseen.length < behind.length ? ['not yet durable'] : []).join(', ');
}

function viewText(event, model) {
  const what = place(event, model) + ' of ' + event.domain;
  return event.behind ? what + ' arrived, ' + lackText(event.behind.split(' ')) : what + ' is seen by all' + (event.persistent ? ' and durable' : '');
}

function olderText(event, model) {
  return event.observer.endsWith('/power')
    ? 'power failure keeps ' + event.seen + ' at ' + place(event, model) + ', loses ' + event.missed
    : event.observer + ' sees ' + event.seen + ' at ' + place(event, model) + ', misses ' + event.missed;
}

/** The text with the names that a scenario has for addresses. */
function named(text, names) {
  return names ? text.replace(/\b0x[0-9a-f]{9,16}\b/g, (address) => names[address] ?? address) : text;
}

/** The title of a caption; where events came again, with the time of the last of them. */
export function captionText(event, model) {
  return (event.title ?? '') + (event.untilNanos === undefined ? '' : ', until ' + timeText(event.untilNanos - (model.firstNanos ?? 0)));
}

const LABELS = {
  posted: (e) => 'post ' + requestText(e.request),
  taken: (e) => 'take wr_id=' + e.workRequestId + ' of srq ' + e.srq,
  limited: (e) => 'limit ' + e.limit + ' of srq ' + e.srq,
  connected: (e) => 'connected to qp ' + hex(e.destinationQp),
  started: (e) => 'start wr_id=' + e.workRequestId + (e.packets ? ', ' + count(e.packets, 'packet') : ''),
  sent: (e) => packetText(e.packet),
  received: (e) => 'receive ' + packetText(e.packet),
  dropped: (e) => 'drop ' + packetText(e.packet),
  fault: (e) => 'link ' + e.fault + ' ' + opcodeText(e.packet.opcode),
  memory: (e, model) => EFFECTS[e.effect] + ' ' + e.lengthBytes + ' B at ' + place(e, model) + (e.held ? ', held' : ''),
  shown: (e, model) => 'shows ' + e.lengthBytes + ' B at ' + place(e, model),
  program: (e, model) => 'program ' + (e.store ? 'stores ' : 'loads ') + place(e, model) + ': ' + bytesText(bytesOf(e.data)),
  view: viewText,
  older: olderText,
  completed: (e) => 'complete wr_id=' + e.workRequestId + ' ' + e.status,
  polled: (e) => 'poll wr_id=' + e.workRequestId + ' of cq ' + e.cq + ', ' + e.left + ' left',
  state: (e) => e.from + ' → ' + e.to,
  event: (e) => e.type + (e.srq ? ' srq ' + e.srq : ''),
  key: (e) => 'key ' + keyText(e.key) + (e.valid ? ' is valid' : ' is revoked'),
  window: (e) => 'window ' + e.window + ' ' + CHANGES[e.change] + (e.change === 'BOUND' ? ' as ' + keyText(e.rkey) : ''),
  decided: (e) => 'rule ' + e.rule,
  choice: (e) => 'choice ' + e.point + (e.text ? ': ' + e.text : ''),
  caption: captionText,
};

/** What stands beside an event. */
export function label(event, model = {}) {
  const text = LABELS[event.kind];
  return safe(text ? named(text(event, model), model.names) : event.kind, 200);
}

/** Why: the refusal that an event carries. */
export function refusalOf(event) {
  return event.refusal ?? event.reason ?? null;
}

/** What stands beside an event, with the rule of its refusal. */
export function labelWithRule(event, model) {
  const refusal = refusalOf(event);
  return label(event, model) + (refusal ? ' [' + refusal.rule + ']' : '');
}

/** A sentence for a screen reader and for the details: time, place, what happened, and why. */
export function sentence(event, model) {
  const parts = [timeText(event.timeNanos - model.firstNanos)];
  if (event.device) {
    parts.push(safe(event.device, 60) + (event.qp ? ' qp ' + hex(event.qp) : ''));
  }
  parts.push(event.kind === 'sent' ? 'sends ' + label(event, model) : label(event, model));
  const arrow = event.kind === 'sent' || event.kind === 'received' || event.kind === 'dropped' ? model.arrowOf(event) : null;
  if (arrow) {
    parts.push(arrow.notes.join(', '));
  }
  const refusal = refusalOf(event);
  if (refusal) {
    parts.push(safe(refusal.sentence) + ' [' + safe(refusal.rule, 20) + ']');
  }
  if (event.kind === 'choice') {
    parts.push('permitted by ' + event.rules.join(', '));
  }
  return parts.filter((part) => part).join(', ');
}
