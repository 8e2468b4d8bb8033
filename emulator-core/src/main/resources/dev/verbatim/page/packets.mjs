// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// Joins what left a device with what arrived at another: one arrow for each packet on its way.

import { faultText, isResponse, nakOf } from './words.mjs';

const flowOf = (event) => [event.source, event.destination, event.packet.destQp, event.packet.psn, event.packet.opcode].join(' ');

/**
 * The arrows of a trace. An arrow has the events `sent` and `end` (each -1 if the trace does not have it), `fate` (arrives, lost,
 * damaged, duplicate, dropped, unknown), `repeats` (the event that sent the packet first, or -1), `response`, `nak` and `notes`.
 */
export function joinPackets(events) {
  const arrows = [];
  const byEvent = new Int32Array(events.length).fill(-1);
  const flows = new Map();
  const firstSent = new Map();
  const delivered = new Map();
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    switch (event.kind) {
      case 'sent':
        byEvent[i] = leave(event, i);
        break;
      case 'fault':
        byEvent[i] = fail(event, i);
        break;
      case 'received':
        byEvent[i] = arrive(event, i);
        break;
      case 'dropped':
        byEvent[i] = drop(event, i);
        break;
      case 'connected':
        forget(event);
        break;
      default:
    }
  }
  for (const arrow of arrows) {
    arrow.notes = notesOf(arrow);
  }
  return { arrows, byEvent };

  function add(event, sent, end, fate) {
    arrows.push({
      index: arrows.length, sent, end, fate, repeats: -1, fault: '',
      response: isResponse(event.packet), nak: nakOf(event.packet) !== '', notes: [],
    });
    return arrows.length - 1;
  }

  function leave(event, i) {
    const arrow = add(event, i, -1, 'unknown');
    const flow = flowOf(event);
    if (!flows.has(flow)) {
      flows.set(flow, []);
    }
    flows.get(flow).push(arrow);
    // Acknowledgements may be alike; only a packet that asks, or that carries an answer, is a repetition.
    const own = [event.device, event.qp, event.packet.opcode, event.packet.destQp, event.destination].join(' ');
    if (event.packet.opcode !== 'ACKNOWLEDGE' && !event.packet.deth) {
      const sentBefore = firstSent.get(own) ?? new Map();
      firstSent.set(own, sentBefore);
      if (sentBefore.has(event.packet.psn)) {
        arrows[arrow].repeats = sentBefore.get(event.packet.psn);
      } else {
        sentBefore.set(event.packet.psn, i);
      }
    }
    return arrow;
  }

  function takeFirst(flow) {
    const waiting = flows.get(flow);
    waiting.shift();
    if (waiting.length === 0) {
      flows.delete(flow);
    }
  }

  /** The first packet of a flow that is on its way; -1 if there is none. */
  function pending(flow) {
    const waiting = flows.get(flow);
    return waiting && waiting.length > 0 ? waiting[0] : -1;
  }

  function fail(event) {
    const flow = flowOf(event);
    const waiting = flows.get(flow) ?? [];
    const arrow = waiting.length > 0 ? waiting[waiting.length - 1] : -1;
    if (arrow >= 0) {
      arrows[arrow].fault = event.fault;
      if (/loses|cut/.test(event.fault)) {
        arrows[arrow].fate = 'lost';
        waiting.pop();
      } else if (/damages/.test(event.fault)) {
        arrows[arrow].fate = 'damaged';
        waiting.pop();
      }
    }
    return arrow;
  }

  function arrive(event, i) {
    const flow = flowOf(event);
    const arrow = pending(flow);
    if (arrow >= 0) {
      takeFirst(flow);
      arrows[arrow].end = i;
      arrows[arrow].fate = 'arrives';
      delivered.set(flow, arrow);
      return arrow;
    }
    const before = delivered.get(flow) ?? -1;
    return add(event, before >= 0 ? arrows[before].sent : -1, i, before >= 0 ? 'duplicate' : 'arrives');
  }

  /** A device drops what its queue pair has received, or what no queue pair has received. */
  function drop(event, i) {
    for (let k = i - 1; k >= 0 && events[k].timeNanos === event.timeNanos && i - k < 64; k--) {
      const other = events[k];
      if (other.kind === 'received' && other.device === event.device && samePacket(other, event) && byEvent[k] >= 0) {
        arrows[byEvent[k]].dropped = i;
        return byEvent[k];
      }
    }
    let found = -1;
    for (const [flow, waiting] of flows) {
      if (waiting.length > 0 && samePacket(events[arrows[waiting[0]].sent], event) && events[arrows[waiting[0]].sent].device !== event.device) {
        found = waiting[0];
        takeFirst(flow);
        delivered.set(flow, found);
        break;
      }
    }
    const arrow = found >= 0 ? found : add(event, -1, i, 'dropped');
    arrows[arrow].end = i;
    arrows[arrow].fate = 'dropped';
    arrows[arrow].dropped = i;
    return arrow;
  }

  function samePacket(one, other) {
    return one.packet.psn === other.packet.psn && one.packet.opcode === other.packet.opcode && one.packet.destQp === other.packet.destQp;
  }

  /** A queue pair that is connected anew begins anew. */
  function forget(event) {
    for (const own of firstSent.keys()) {
      if (own.startsWith(event.device + ' ' + event.qp + ' ')) {
        firstSent.delete(own);
      }
    }
  }
}

function notesOf(arrow) {
  const notes = [];
  if (arrow.fault) {
    notes.push(faultText(arrow.fault) + ' by the link');
  } else if (arrow.fate === 'lost') {
    notes.push('lost');
  }
  if (arrow.fate === 'duplicate') {
    notes.push('a duplicate');
  }
  if (arrow.dropped !== undefined) {
    notes.push('dropped by the receiver');
  }
  if (arrow.repeats >= 0) {
    notes.push('a repetition');
  }
  return notes;
}
