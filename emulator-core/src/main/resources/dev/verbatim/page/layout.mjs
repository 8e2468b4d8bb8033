// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// Where everything stands: a row for each event, a column for each lifeline, key and queue.

import { wrap } from './measure.mjs';
import { labelWithRule, refusalOf } from './words.mjs';

export const ROW = 22;
export const LINE = 15;
const REFUSAL = 18;
const CAPTION_LINE = 18;
const CAPTION_PAD = 26;
export const TIME_WIDTH = 84;
const LANE = 14;
const BAR = 7;
const MOST_BARS = 6;
export const KEY = 16;
export const QUEUE = 24;
const PAD = 10;
const LEAST_GAP = 176;
const LEAST_TEXT = 120;
const LEAST_BLOCK = 60;
const MOST_KEYS = 24;
const MOST_QUEUES = 24;
const BUCKET = 64;

/** Kinds of events whose labels do not stand beside their device. */
const ELSEWHERE = new Set(['sent', 'received', 'choice']);

/** Finds the intervals that touch a window of rows, without looking at all of them. */
export class Intervals {
  constructor() {
    this.buckets = new Map();
  }

  add(id, from, to) {
    for (let bucket = Math.floor(from / BUCKET); bucket <= Math.floor(to / BUCKET); bucket++) {
      if (!this.buckets.has(bucket)) {
        this.buckets.set(bucket, []);
      }
      this.buckets.get(bucket).push(id);
    }
  }

  within(from, to) {
    const found = new Set();
    for (let bucket = Math.floor(from / BUCKET); bucket <= Math.floor(to / BUCKET); bucket++) {
      (this.buckets.get(bucket) ?? []).forEach((id) => found.add(id));
    }
    return [...found].sort((a, b) => a - b);
  }
}

/**
 * The layout of a model.
 *
 * @param options `width` of the page's drawing in pixels, `measure(text, size)` the width of a text, `keys` and `queues` whether
 *     these columns are drawn
 */
export function layOut(model, rows, options) {
  const layout = { rows, top: new Float64Array(rows.length + 1), rowOf: new Int32Array(model.events.length).fill(-1), refusals: new Map(), captions: new Map(), lines: new Map() };
  rows.forEach((event, row) => {
    layout.rowOf[event] = row;
  });
  layout.nextRow = nextRows(layout);
  placeTracks(model, layout, options);
  placeColumns(model, layout, options);
  indexIntervals(model, layout);
  placeRows(model, layout, options.measure);
  return layout;
}

/** For each event its row, or that of the next event that has one, or the last. */
function nextRows(layout) {
  const next = new Int32Array(layout.rowOf.length);
  let row = Math.max(0, layout.rows.length - 1);
  for (let i = next.length - 1; i >= 0; i--) {
    row = layout.rowOf[i] >= 0 ? layout.rowOf[i] : row;
    next[i] = row;
  }
  return next;
}

/** The row of an event, or of the next event that has one. */
export function rowAt(layout, event) {
  return layout.nextRow[event] ?? Math.max(0, layout.rows.length - 1);
}

/** The middle of a row's first line. */
export function middle(layout, row) {
  return layout.top[row] + ROW / 2;
}

/** The row at a height. */
export function rowAtHeight(layout, y) {
  let low = 0;
  let high = Math.max(0, layout.rows.length - 1);
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (layout.top[mid] <= y) {
      low = mid;
    } else {
      high = mid - 1;
    }
  }
  return low;
}

/** Bars of requests that overlap stand side by side. */
function placeTracks(model, layout, options) {
  layout.lanes = new Map();
  const hidden = options.filter ?? {};
  layout.groups = model.lanes.filter((group) => !hidden.devices?.has(group.device)).map((group) => ({ device: group.device, lanes: [] }));
  const byDevice = new Map(layout.groups.map((group) => [group.device, group]));
  for (const { device, qps } of model.lanes) {
    for (const qp of byDevice.has(device) ? qps : []) {
      if (!hidden.lanes?.has(device + ' ' + qp)) {
        const lane = { device, qp, x: 0, ends: [] };
        byDevice.get(device).lanes.push(lane);
        layout.lanes.set(device + ' ' + qp, lane);
      }
    }
  }
  layout.groups = layout.groups.filter((group) => group.lanes.length > 0);
  layout.bars = [];
  for (const request of model.requests) {
    const lane = layout.lanes.get(request.device + ' ' + request.qp);
    if (lane) {
      const from = rowAt(layout, request.posted);
      const to = request.completed >= 0 ? rowAt(layout, request.completed) : layout.rows.length - 1;
      let track = lane.ends.findIndex((end) => end < from);
      if (track < 0) {
        track = Math.min(lane.ends.length, MOST_BARS - 1);
      }
      const crowded = lane.ends[track] >= from;
      lane.ends[track] = Math.max(lane.ends[track] ?? -1, to);
      layout.bars.push({ request: request.index, lane, track, from, to, crowded });
    }
  }
}

function placeColumns(model, layout, options) {
  layout.keys = options.keys ? mostTelling(model).filter((key) => layout.groups.some((group) => group.device === key.device)) : [];
  layout.queues = options.queues ? model.queues.filter((queue) => queue.most > 0).slice(0, MOST_QUEUES) : [];
  const tracks = blockWidth(layout.keys, KEY) + blockWidth(layout.queues, QUEUE);
  const widths = layout.groups.map((group) => group.lanes.reduce((sum, lane) => sum + laneWidth(lane), 0));
  const free = options.width - TIME_WIDTH - tracks - widths.reduce((a, b) => a + b, 0) - PAD;
  const groups = Math.max(1, layout.groups.length);
  const one = groups === 1;
  const gap = one ? 0 : Math.max(LEAST_GAP, Math.floor(free / (groups - 1 + 1.9)));
  layout.textWidth = Math.max(LEAST_TEXT, one ? free : Math.floor((free - gap * (groups - 1)) / 2));
  let x = TIME_WIDTH + (one ? PAD : layout.textWidth);
  layout.groups.forEach((group, g) => {
    group.from = x;
    for (const lane of group.lanes) {
      lane.x = x + laneWidth(lane) / 2 - (Math.max(1, lane.ends.length) * BAR) / 2;
      x += laneWidth(lane);
    }
    group.to = x;
    group.leftText = g === 0 && !one;
    x += g + 1 < groups ? gap : 0;
  });
  layout.textEnd = x + layout.textWidth;
  x = layout.textEnd + PAD * 2;
  layout.keys = layout.keys.map((key) => {
    const column = { key, x: x + KEY / 2 };
    x += KEY;
    return column;
  });
  x = layout.textEnd + PAD * 2 + blockWidth(layout.keys, KEY);
  layout.queues = layout.queues.map((queue) => {
    const column = { queue, x };
    x += QUEUE;
    return column;
  });
  layout.width = Math.max(options.width, layout.textEnd + PAD + tracks);
}

/** The width of a block of columns, with its heading. */
const blockWidth = (columns, width) => (columns.length > 0 ? Math.max(LEAST_BLOCK, columns.length * width) + PAD * 2 : 0);

const laneWidth = (lane) => LANE + Math.max(1, lane.ends.length) * BAR;

/** Windows first, then keys that were revoked, then others; in the order in which they became valid. */
function mostTelling(model) {
  const last = model.events.length - 1;
  const weight = (key) => (key.window ? 0 : key.to >= 0 && key.to < last ? 1 : 2);
  return [...model.keys].sort((a, b) => weight(a) - weight(b) || a.index - b.index).slice(0, MOST_KEYS).sort((a, b) => a.index - b.index);
}

/** Where the bar of a request stands. */
export function barX(bar) {
  return bar.lane.x + 8 + bar.track * BAR;
}

/** For each row, whether a packet is on its way there, or arrives. */
function crossedRows(layout) {
  const change = new Int32Array(layout.rows.length + 1);
  for (const { from, to, shown } of layout.arrowRows) {
    if (shown) {
      change[Math.min(from, to) + 1]++;
      change[Math.max(from, to) + 1]--;
    }
  }
  let under = 0;
  return change.map((one) => (under += one));
}

/** Whether labels of a row have no place across the other devices. */
export function staysBeside(layout, row) {
  return layout.groups.length === 1 || layout.crossed[row] > 0;
}

/** The width of a label beside its device. */
export function besideWidth(layout) {
  return layout.textWidth - 16;
}

/** The heights of rows: captions, refusals and labels that are broken take more than a line. */
function placeRows(model, layout, measure) {
  layout.crossed = crossedRows(layout);
  const told = new Map();
  let y = 0;
  layout.rows.forEach((index, row) => {
    layout.top[row] = y;
    const event = model.events[index];
    let height = ROW;
    if (event.kind === 'caption') {
      const lines = wrap(event.text ?? '', Math.min(layout.textEnd, layout.width) - TIME_WIDTH - PAD * 3, (text) => measure(text, 13));
      layout.captions.set(index, lines);
      height = CAPTION_PAD + ROW + lines.length * CAPTION_LINE;
    } else {
      const refusal = refusalOf(event);
      if (refusal && told.get(event.device) !== refusal.sentence) {
        told.set(event.device, refusal.sentence);
        layout.refusals.set(index, refusal);
        height += REFUSAL;
      }
      if (layout.lanes.has(event.device + ' ' + event.qp) && !ELSEWHERE.has(event.kind) && staysBeside(layout, row)) {
        const lines = wrap(labelWithRule(event, model), besideWidth(layout), (text) => measure(text, 12));
        if (lines.length > 1) {
          layout.lines.set(index, lines);
          height += (lines.length - 1) * LINE;
        }
      }
    }
    y += height;
  });
  layout.top[layout.rows.length] = y;
  layout.height = y;
}

function indexIntervals(model, layout) {
  layout.barsAt = new Intervals();
  layout.bars.forEach((bar, i) => layout.barsAt.add(i, bar.from, bar.to));
  layout.arrowsAt = new Intervals();
  layout.arrowRows = model.arrows.map((arrow) => {
    const from = arrow.sent >= 0 ? rowAt(layout, arrow.sent) : rowAt(layout, arrow.end);
    const to = arrow.end >= 0 ? rowAt(layout, arrow.end) : from + 1;
    const shown = [arrow.sent, arrow.end].some((event) => event >= 0 && layout.rowOf[event] >= 0);
    if (shown) {
      layout.arrowsAt.add(arrow.index, Math.min(from, to), Math.max(from, to));
    }
    return { from, to, shown };
  });
  layout.repeatsAt = new Intervals();
  layout.repeats = model.arrows.filter((arrow) => arrow.repeats >= 0 && layout.arrowRows[arrow.index].shown).map((arrow, i) => {
    const placed = { arrow, from: rowAt(layout, arrow.repeats), to: rowAt(layout, arrow.sent) };
    layout.repeatsAt.add(i, placed.from, placed.to);
    return placed;
  });
  layout.keysAt = new Intervals();
  layout.keys.forEach((column, i) => {
    column.from = rowAt(layout, column.key.from);
    column.to = column.key.to >= 0 ? rowAt(layout, column.key.to) : layout.rows.length - 1;
    layout.keysAt.add(i, column.from, column.to);
  });
  const revoked = new Map(layout.keys.map((column) => [column.key.to, column]));
  layout.deadKeysAt = new Intervals();
  layout.deadKeys = [...model.deadKeys].filter(([access, by]) => layout.rowOf[access] >= 0 && revoked.has(by)).map(([access, by], i) => {
    const placed = { access, column: revoked.get(by), from: rowAt(layout, by), to: layout.rowOf[access] };
    layout.deadKeysAt.add(i, placed.from, placed.to);
    return placed;
  });
  layout.statesAt = new Intervals();
  layout.states = model.states.filter((span) => layout.lanes.has(span.device + ' ' + span.qp)).map((span, i) => {
    const placed = { span, from: rowAt(layout, span.from), to: span.to >= 0 ? rowAt(layout, span.to) : layout.rows.length };
    layout.statesAt.add(i, placed.from, placed.to);
    return placed;
  });
}
