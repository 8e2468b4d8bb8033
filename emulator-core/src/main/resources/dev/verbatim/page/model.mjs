// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// The model of one run: all that the page draws, computed once from the events of the trace.

import { joinPackets } from './packets.mjs';
import { followRequests } from './requests.mjs';
import { findRegions, findSpots, followKeys, followQueues, followStates, MemoryAt } from './tracks.mjs';
import { label } from './words.mjs';

/** Events that stand as a mark beside another event, not in a row of their own. */
const BESIDE = new Set(['decided', 'fault']);

/** The model of a run: { title, about, names, events }. */
export function buildModel(run) {
  const events = run.events;
  const names = run.names ?? {};
  events.forEach((event, i) => {
    event.index = i;
  });
  const packets = joinPackets(events);
  const followed = followRequests(events, packets);
  const keys = followKeys(events);
  const regions = findRegions(events, findSpots(events), names);
  const timed = events.find((event) => event.timeNanos !== undefined);
  const model = {
    run,
    events,
    names,
    firstNanos: timed ? timed.timeNanos : 0,
    lanes: findLanes(events),
    arrows: packets.arrows,
    requests: followed.requests,
    requestOf: followed.byEvent,
    deviceOf: followed.deviceOf,
    keys: keys.keys,
    deadKeys: keys.dead,
    states: followStates(events),
    queues: followQueues(events, followed.requests),
    regions,
    memory: new MemoryAt(events, regions),
    rules: rulesBeside(events),
    arrowOf: (event) => (packets.byEvent[event.index] >= 0 ? packets.arrows[packets.byEvent[event.index]] : null),
  };
  model.places = (event) => names[event.address] ?? offsetOf(event, model);
  return model;
}

/** Where in its region memory is touched; undefined if the device has several regions, or none. */
function offsetOf(event, model) {
  const regions = model.regions.filter((region) => region.device === event.device);
  if (regions.length !== 1 || regions[0].title !== 'region') {
    return undefined;
  }
  return '+' + (BigInt(event.address) - regions[0].from);
}

/** Devices in the order of their first event, each with its queue pairs; 0 is the device itself. */
function findLanes(events) {
  const devices = new Map();
  for (const event of events) {
    if (event.device !== undefined) {
      const lane = event.kind === 'fault' || event.kind === 'decided' ? null : event.qp;
      if (!devices.has(event.device)) {
        devices.set(event.device, new Set());
      }
      if (lane !== null) {
        devices.get(event.device).add(lane);
      }
    }
  }
  return [...devices].filter(([, qps]) => qps.size > 0).map(([device, qps]) => ({ device, qps: [...qps].sort((a, b) => a - b) }));
}

/** The rules that were decided at each row: those of the event that follows at the same device, or of the one before. */
function rulesBeside(events) {
  const beside = new Map();
  const last = new Map();
  const waiting = new Map();
  const put = (row, i) => {
    if (!beside.has(row)) {
      beside.set(row, []);
    }
    beside.get(row).push(i);
  };
  events.forEach((event, i) => {
    if (event.kind === 'decided') {
      const before = last.get(event.device);
      if (before !== undefined && events[before].timeNanos === event.timeNanos) {
        put(before, i);
      } else {
        if (!waiting.has(event.device)) {
          waiting.set(event.device, []);
        }
        waiting.get(event.device).push(i);
      }
    } else if (event.device !== undefined && !BESIDE.has(event.kind)) {
      (waiting.get(event.device) ?? []).forEach((rule) => put(i, rule));
      waiting.delete(event.device);
      last.set(event.device, i);
    }
  });
  for (const [device, rules] of waiting) {
    rules.forEach((rule) => put(last.get(device) ?? events.length - 1, rule));
  }
  return beside;
}

/** What a filter leaves: the events that have a row, in order. */
export function rowsOf(model, filter = {}) {
  const rows = [];
  for (const event of model.events) {
    if (!BESIDE.has(event.kind) && isShown(event, filter)) {
      rows.push(event.index);
    }
  }
  return rows;
}

function isShown(event, filter) {
  if (event.kind === 'caption') {
    return true;
  }
  const lane = event.device === undefined ? null : event.device + ' ' + event.qp;
  return !(filter.kinds?.has(event.kind) || filter.devices?.has(event.device) || (lane !== null && filter.lanes?.has(lane)));
}

/** The next event from `at`, in direction 1 or -1, whose text has the words; -1 if there is none. */
export function find(model, rows, words, at, direction) {
  const wanted = spoken(words);
  const texts = model.texts ?? (model.texts = model.events.map((event) => spoken(searchText(event, model))));
  const hits = rows.filter((i) => texts[i].includes(wanted));
  if (hits.length === 0) {
    return { hit: -1, number: 0, of: 0 };
  }
  let number = direction > 0 ? hits.findIndex((i) => i > at) : hits.findLastIndex((i) => i < at);
  if (number < 0) {
    number = direction > 0 ? 0 : hits.length - 1;
  }
  return { hit: hits[number], number: number + 1, of: hits.length };
}

/** Text as it is compared: psn=7000 is psn 7000, and 0x0229663c is 0x229663c. */
function spoken(text) {
  return text.toLowerCase().replace(/[\s=:]+/g, ' ').replace(/\b0x0+(?=[0-9a-f])/g, '0x');
}

function searchText(event, model) {
  const refusal = event.refusal ?? event.reason;
  const rules = (model.rules.get(event.index) ?? []).map((i) => model.events[i].rule).join(' ');
  return [label(event, model), event.device ?? '', event.qp ? '0x' + event.qp.toString(16) : '', event.packet?.opcode ?? '', event.text ?? '', event.request ?? '',
    event.status ?? '', refusal?.sentence ?? '', refusal?.rule ?? '', (event.rules ?? []).join(' '), rules].join(' ');
}

/** Where two runs first differ: the numbers of the first events that are not alike; null if none. Times do not count. */
export function firstDifference(one, other) {
  const a = rowsOf(one);
  const b = rowsOf(other);
  const most = Math.max(a.length, b.length);
  for (let k = 0; k < most; k++) {
    if (k >= a.length || k >= b.length || likeness(one.events[a[k]]) !== likeness(other.events[b[k]])) {
      return { one: a[k] ?? -1, other: b[k] ?? -1 };
    }
  }
  return null;
}

function likeness(event) {
  const { index, timeNanos, untilNanos, ...rest } = event;
  return JSON.stringify(rest);
}
