// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// Draws a window of rows as SVG. What differs in colour differs in shape, too.

import { barX, besideWidth, KEY, LINE, middle, QUEUE, ROW, rowAt, staysBeside, TIME_WIDTH } from './layout.mjs';
import { fit } from './measure.mjs';
import { stateOf } from './requests.mjs';
import { rights } from './tracks.mjs';
import { faultText, hex, keyText, label, labelWithRule, packetText, refusalOf, safe, timeText } from './words.mjs';

const SVG = 'http://www.w3.org/2000/svg';

/** Of a head: the line with the names of devices, and the longest text that stands below it. */
const HEAD_LINE = 36;
const MOST_HEAD = 150;

/** An SVG element with these attributes. */
export function svg(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

/** Shapes of marks around (0, 0), by kind of event. */
const SHAPES = {
  posted: 'M-4,-4.5L4.5,0L-4,4.5Z',
  taken: 'M-4,-4.5L4.5,0L-4,4.5Z',
  started: 'M0,-3A3,3 0 1 1 0,3A3,3 0 1 1 0,-3Z',
  memory: 'M-4,-4H4V4H-4Z',
  shown: 'M-4,-4H4V4H-4Z',
  program: 'M-4.5,-4H4.5L0,4.5Z',
  view: 'M-6,0A7,7 0 0 1 6,0A7,7 0 0 1 -6,0M-1.6,0A1.6,1.6 0 1 1 1.6,0A1.6,1.6 0 1 1 -1.6,0Z',
  older: 'M-6,0A7,7 0 0 1 6,0A7,7 0 0 1 -6,0M-6,5L6,-5',
  completed: 'M0,-5A5,5 0 1 1 0,5A5,5 0 1 1 0,-5ZM-2.4,0.2L-0.6,2.2L2.6,-2',
  failed: 'M0,-5A5,5 0 1 1 0,5A5,5 0 1 1 0,-5ZM-2.2,-2.2L2.2,2.2M2.2,-2.2L-2.2,2.2',
  polled: 'M-4,0A4,4 0 0 0 4,0M0,-6V1M-2.2,-1.4L0,1L2.2,-1.4',
  state: 'M-7,0H7',
  event: 'M-2,6V-6L7,-3L-2,0',
  key: 'M0,-5L5,0L0,5L-5,0Z',
  window: 'M0,-5L5,0L0,5L-5,0ZM0,-2L2,0L0,2L-2,0Z',
  revoked: 'M0,-5L5,0L0,5L-5,0ZM-5,5L5,-5',
  dropped: 'M-4,-4L4,4M4,-4L-4,4',
  sent: 'M0,-1.8A1.8,1.8 0 1 1 0,1.8A1.8,1.8 0 1 1 0,-1.8Z',
  received: 'M0,-1.8A1.8,1.8 0 1 1 0,1.8A1.8,1.8 0 1 1 0,-1.8Z',
  connected: 'M-6,-2H6M-6,2H6',
  limited: 'M-5,0H5M0,-5V5',
  choice: 'M0,-6L1.6,-1.6L6,0L1.6,1.6L0,6L-1.6,1.6L-6,0L-1.6,-1.6Z',
};

/** The shape of an event's mark, and its classes. */
export function markOf(event) {
  switch (event.kind) {
    case 'completed':
      return { shape: event.status === 'SUCCESS' ? 'completed' : 'failed', classes: event.status === 'SUCCESS' ? 'mark request' : 'mark refusal' };
    case 'memory': {
      const reads = event.effect === 'GATHERED' || event.effect === 'FETCHED';
      return { shape: 'memory', classes: 'mark memory ' + (reads ? 'reads' : event.held ? 'held' : 'writes') };
    }
    case 'shown':
      return { shape: 'shown', classes: 'mark memory writes' };
    case 'program':
      return { shape: 'program', classes: 'mark memory ' + (event.store ? 'writes' : 'reads') };
    case 'view':
      return { shape: 'view', classes: 'mark memory ' + (event.behind ? 'held' : 'reads') };
    case 'older':
      return { shape: 'older', classes: 'mark refusal' };
    case 'key':
      return { shape: event.valid ? 'key' : 'revoked', classes: 'mark key' };
    case 'window':
      return { shape: /BOUND$|ALLOC/.test(event.change) && event.change !== 'UNBOUND' ? 'window' : 'revoked', classes: 'mark key' };
    case 'state':
    case 'event':
      return { shape: event.kind, classes: 'mark ' + (refusalOf(event) ? 'refusal' : 'plain') };
    case 'dropped':
      return { shape: 'dropped', classes: 'mark refusal' };
    case 'sent':
    case 'received':
      return { shape: event.kind, classes: 'mark packet solid' };
    case 'choice':
      return { shape: 'choice', classes: 'mark choice solid' };
    default:
      return { shape: SHAPES[event.kind] ? event.kind : 'limited', classes: 'mark request' };
  }
}

/** The drawing of a symbol, for the legend. */
export function symbol(event) {
  const { shape, classes } = markOf(event);
  return svg('path', { d: SHAPES[shape], class: classes });
}

/** Draws the rows [from, to) of a layout. `nodes` gets, for each event, the elements that belong to it. */
export class Drawing {
  constructor(model, layout, measure, differs) {
    this.model = model;
    this.layout = layout;
    this.measure = measure;
    this.differs = differs;
  }

  /** Fills `target`, whose first row stands at height 0. */
  draw(target, from, to, everything) {
    this.nodes = new Map();
    this.offset = this.layout.top[from] ?? 0;
    this.from = from;
    this.to = to;
    this.everything = everything;
    const parts = ['lines', 'tracks', 'bars', 'arrows', 'marks', 'labels'].map((name) => svg('g', { class: name }));
    [this.lines, this.tracks, this.bars, this.arrows, this.marks, this.labels] = parts;
    this.drawLifelines();
    this.drawKeys();
    this.drawQueues();
    this.drawDeadKeys();
    this.drawBars();
    this.drawArrows();
    this.drawRepetitions();
    for (let row = from; row < to; row++) {
      this.drawRow(row);
    }
    target.replaceChildren(...parts);
  }

  y(row) {
    return middle(this.layout, Math.min(row, this.layout.rows.length - 1)) - this.offset;
  }

  clampY(row) {
    const margin = ROW * 2;
    return Math.max(-margin, Math.min(this.bottom() + margin, this.y(row)));
  }

  bottom() {
    return this.layout.top[this.to] - this.offset;
  }

  belongs(event, ...elements) {
    if (event >= 0) {
      this.nodes.set(event, [...(this.nodes.get(event) ?? []), ...elements]);
    }
  }

  drawLifelines() {
    const bottom = this.bottom();
    for (const lane of this.layout.lanes.values()) {
      this.lines.append(svg('line', { class: 'lifeline', x1: lane.x, x2: lane.x, y1: 0, y2: bottom }));
    }
    for (const i of this.layout.statesAt.within(this.from, this.to)) {
      const { span, from, to } = this.layout.states[i];
      const lane = this.layout.lanes.get(span.device + ' ' + span.qp);
      const end = span.to >= 0 ? this.clampY(to) : bottom;
      this.lines.append(svg('line', { class: 'state state-' + span.state, x1: lane.x, x2: lane.x, y1: this.clampY(from), y2: end }));
    }
  }

  drawKeys() {
    for (const i of this.layout.keysAt.within(this.from, this.to)) {
      const column = this.layout.keys[i];
      const y1 = this.clampY(column.from);
      const y2 = column.key.to >= 0 ? this.clampY(column.to) : this.bottom();
      const bar = svg('rect', { class: 'keybar' + (column.key.window ? ' window' : ''), x: column.x - 4, width: 8, y: y1, height: Math.max(1, y2 - y1), rx: 2, 'data-key': i });
      this.tracks.append(bar);
      this.belongs(column.key.from, bar);
      if (column.key.to >= 0 && column.to >= this.from && column.to < this.to) {
        const cross = svg('path', { class: 'cross', d: 'M-5,-5L5,5M5,-5L-5,5', transform: `translate(${column.x},${y2})` });
        this.tracks.append(cross);
        this.belongs(column.key.to, cross);
      }
    }
  }

  crosses(from, to) {
    return to >= this.from && from < this.to;
  }

  /** Of the lines that go through all rows at one place, the first stands for all. */
  drawOnce(through, place, { from, to }, draw) {
    if (from >= this.from || to < this.to) {
      return draw();
    }
    if (!through.has(place)) {
      through.set(place, draw());
    }
    return through.get(place);
  }

  /** From each access through a dead key up to what revoked the key. */
  drawDeadKeys() {
    const through = new Map();
    for (const i of this.layout.deadKeysAt.within(this.from, this.to)) {
      const one = this.layout.deadKeys[i];
      const { access, column, from, to } = one;
      const lane = this.laneOf(this.model.events[access]);
      if (lane && this.crosses(from, to)) {
        this.belongs(access, this.drawOnce(through, column.x, one, () => {
          const path = svg('path', { class: 'deadkey', d: `M${lane.x + 5},${this.clampY(to)}H${column.x}V${this.clampY(from) + 6}`, 'marker-end': 'url(#tip-refusal)' });
          this.tracks.append(path);
          return path;
        }));
      }
    }
  }

  drawQueues() {
    for (const { queue, x } of this.layout.queues) {
      const scale = (QUEUE - 8) / Math.max(1, queue.most);
      const points = queue.points;
      let low = 0;
      let high = points.length;
      while (low < high) {
        const mid = (low + high) >> 1;
        if (rowAt(this.layout, points[mid][0]) < this.from) {
          low = mid + 1;
        } else {
          high = mid;
        }
      }
      let depth = low > 0 ? points[low - 1][1] : 0;
      let d = `M${x},0H${x + depth * scale}`;
      for (let k = low; k < points.length; k++) {
        const row = rowAt(this.layout, points[k][0]);
        if (row >= this.to) {
          break;
        }
        depth = points[k][1];
        d += `V${this.y(row)}H${x + depth * scale}`;
      }
      this.tracks.append(svg('path', { class: 'queue', d: d + `V${this.bottom()}H${x}Z` }));
      this.tracks.append(svg('line', { class: 'axis', x1: x, x2: x, y1: 0, y2: this.bottom() }));
    }
  }

  drawBars() {
    for (const i of this.layout.barsAt.within(this.from, this.to)) {
      const bar = this.layout.bars[i];
      if (bar.to < this.from || bar.from >= this.to || (bar.crowded && !this.everything)) {
        continue;
      }
      this.bars.append(this.bar(bar));
    }
  }

  /** Outlined from post, pale from start, full from acknowledgement; a foot for success, a cross for an error. */
  bar(bar) {
    const request = this.model.requests[bar.request];
    const x = barX(bar);
    const y = (event) => this.clampY(rowAt(this.layout, event));
    const open = request.completed < 0;
    const end = open ? this.bottom() : y(request.completed);
    const state = stateOf(request);
    const group = svg('g', { class: `bar ${state}${request.receive ? ' receive' : ''}`, 'data-request': request.index });
    const begin = this.clampY(bar.from);
    group.append(svg('rect', { class: 'outline', x: x - 2, width: 4, y: begin, height: Math.max(2, end - begin), rx: 1 }));
    if (request.started >= 0) {
      const acknowledged = request.acknowledged >= 0 ? y(request.acknowledged) : end;
      group.append(svg('rect', { class: 'started', x: x - 2, width: 4, y: y(request.started), height: Math.max(0, acknowledged - y(request.started)) }));
      if (request.acknowledged >= 0 && end > acknowledged) {
        group.append(svg('rect', { class: 'acknowledged', x: x - 2, width: 4, y: acknowledged, height: end - acknowledged }));
      }
    }
    if (!open) {
      const foot = state === 'completed' ? 'M-4,0H4' : state === 'flushed' ? 'M-4,-3L0,2L4,-3' : 'M-4,-4L4,4M4,-4L-4,4';
      group.append(svg('path', { class: 'foot', d: foot, transform: `translate(${x},${end})` }));
    }
    request.events.forEach((event) => this.belongs(event, group));
    return group;
  }

  laneOf(event) {
    return this.layout.lanes.get(event.device + ' ' + event.qp);
  }

  drawArrows() {
    for (const i of this.layout.arrowsAt.within(this.from, this.to)) {
      const { from, to, shown } = this.layout.arrowRows[i];
      if (shown && Math.max(from, to) >= this.from && Math.min(from, to) < this.to) {
        const group = this.arrow(this.model.arrows[i], from, to);
        if (group) {
          this.arrows.append(group);
          this.belongs(this.model.arrows[i].sent, group);
          this.belongs(this.model.arrows[i].end, group);
        }
      }
    }
  }

  arrow(arrow, from, to) {
    const { model } = this;
    const sent = arrow.sent >= 0 ? this.laneOf(model.events[arrow.sent]) : null;
    const end = arrow.end >= 0 ? this.laneOf(model.events[arrow.end]) : this.destination(arrow);
    if (!sent && !end) {
      return null;
    }
    const kinds = ['arrow', arrow.response ? 'response' : 'request', arrow.fate];
    if (arrow.repeats >= 0) {
      kinds.push('repeated');
    }
    if (arrow.nak) {
      kinds.push('nak');
    }
    const group = svg('g', { class: kinds.join(' '), 'data-arrow': arrow.index });
    const x2 = end ? end.x : sent.x + 60;
    const x1 = sent ? sent.x : x2 - Math.sign(x2 - TIME_WIDTH) * 60;
    const y1 = this.y(from);
    const y2 = arrow.end >= 0 || sent !== end ? this.y(to) : y1 + ROW;
    const tip = arrow.nak ? 'refusal' : arrow.response ? 'response' : 'packet';
    if (x1 === x2) {
      group.append(svg('path', { d: `M${x1},${y1}C${x1 + 46},${y1} ${x1 + 46},${y2} ${x1 + 5},${y2}`, 'marker-end': `url(#tip-${tip})` }));
    } else {
      this.straight(group, arrow, { x1, y1, x2, y2 }, tip);
    }
    return group;
  }

  straight(group, arrow, { x1, y1, x2, y2 }, tip) {
    const towards = Math.sign(x2 - x1);
    const lost = arrow.fate === 'lost' || arrow.fate === 'damaged' || arrow.fate === 'unknown';
    const ends = arrow.fate === 'lost' || arrow.fate === 'damaged';
    const ex = ends ? x1 + (x2 - x1) * 0.86 : x2 - towards * 5;
    const ey = ends ? y1 + ROW / 2 : y2;
    const line = { x1: x1 + towards * 3, y1, x2: ex, y2: ey };
    if (arrow.fate === 'duplicate') {
      group.append(svg('line', { ...line, y1: y1 - 2, y2: ey - 2 }), svg('line', { ...line, y1: y1 + 2, y2: ey + 2, 'marker-end': `url(#tip-${tip})` }));
    } else {
      group.append(svg('line', lost ? line : { ...line, 'marker-end': `url(#tip-${tip})` }));
    }
    if (arrow.fate === 'lost') {
      group.append(svg('path', { class: 'cross', d: 'M-5,-5L5,5M5,-5L-5,5', transform: `translate(${ex},${ey})` }));
    } else if (arrow.fate === 'damaged') {
      group.append(svg('path', { class: 'cross', d: 'M-6,0L-3,-5L0,5L3,-5L6,0', transform: `translate(${ex},${ey})` }));
    } else if (arrow.dropped !== undefined) {
      group.append(svg('path', { class: 'cross', d: 'M0,-5A5,5 0 1 1 0,5A5,5 0 1 1 0,-5ZM-3.5,3.5L3.5,-3.5', transform: `translate(${ex - towards * 8},${ey})` }));
    }
  }

  /** Dotted brackets from repetitions up to what they repeat. */
  drawRepetitions() {
    const through = new Map();
    for (const i of this.layout.repeatsAt.within(this.from, this.to)) {
      const one = this.layout.repeats[i];
      const { arrow, from, to } = one;
      const lane = this.laneOf(this.model.events[arrow.sent]);
      if (lane && this.crosses(from, to)) {
        const end = arrow.end >= 0 ? this.laneOf(this.model.events[arrow.end]) : this.destination(arrow);
        const side = !end || lane.x < end.x ? -1 : 1;
        const classes = `arrow ${arrow.response ? 'response' : 'request'} repeated${arrow.nak ? ' nak' : ''}`;
        const group = this.drawOnce(through, lane.x + side * 12 + classes, one, () => {
          const bracket = svg('g', { class: classes });
          bracket.append(svg('path', {
            class: 'repeats', d: `M${lane.x + side * 3},${this.clampY(to)}H${lane.x + side * 12}V${this.clampY(from)}H${lane.x + side * 6}`, 'marker-end': 'url(#tip-repeat)',
          }));
          this.arrows.append(bracket);
          return bracket;
        });
        this.belongs(arrow.sent, group);
        this.belongs(arrow.end, group);
      }
    }
  }

  /** Where a packet was to arrive that did not. */
  destination(arrow) {
    const event = this.model.events[arrow.sent];
    const device = this.model.deviceOf.get(event.destination);
    const qp = device === undefined ? undefined : this.layout.lanes.get(device + ' ' + event.packet.destQp);
    return qp ?? [...this.layout.lanes.values()].find((lane) => lane.device !== event.device) ?? null;
  }

  drawRow(row) {
    const index = this.layout.rows[row];
    const event = this.model.events[index];
    const y = this.y(row);
    if (event.kind === 'caption') {
      return;
    }
    this.time(row, event, y);
    const rules = this.model.rules.get(index) ?? [];
    if (rules.length > 0) {
      const mark = svg('circle', { class: 'rules', cx: TIME_WIDTH - 11, cy: y, r: rules.length > 3 ? 3.6 : 2.4, 'data-rules': rules.length });
      this.marks.append(mark);
      this.belongs(index, mark);
    }
    if (event.kind === 'choice') {
      this.choice(event, y);
      return;
    }
    const lane = this.laneOf(event);
    if (!lane) {
      return;
    }
    const { shape, classes } = markOf(event);
    const mark = svg('path', { class: classes, d: SHAPES[shape], transform: `translate(${lane.x},${y})`, 'data-mark': index });
    this.marks.append(mark);
    this.belongs(index, mark);
    this.label(event, lane, row, y);
    if (this.differs === index) {
      const left = this.layout.groups.find((one) => one.device === event.device).leftText;
      this.text(left ? this.layout.textEnd : TIME_WIDTH + 6, y, '≠ first difference', 'differs', left ? 'end' : 'start', 140);
    }
  }

  /** The time of a row, where it is another than that of the row above. */
  time(row, event, y) {
    const above = row > 0 ? this.model.events[this.layout.rows[row - 1]] : null;
    const time = (one) => timeText((one.timeNanos ?? this.model.firstNanos) - this.model.firstNanos);
    if (!above || above.kind === 'caption' || time(above) !== time(event)) {
      this.text(TIME_WIDTH - 22, y, time(event), 'time', 'end', TIME_WIDTH - 26);
    }
  }

  choice(event, y) {
    const mark = svg('path', { class: 'mark choice solid', d: SHAPES.choice, transform: `translate(${TIME_WIDTH + 8},${y})`, 'data-mark': event.index });
    this.marks.append(svg('line', { class: 'choiceline', x1: TIME_WIDTH, x2: this.layout.textEnd, y1: y + 10, y2: y + 10 }), mark);
    this.belongs(event.index, mark);
    const rules = event.rules.join(', ');
    this.belongs(event.index, this.text(TIME_WIDTH + 22, y, safe(label(event, this.model)) + ' [' + rules + ']', 'choice', 'start', this.layout.textEnd - TIME_WIDTH - 30));
  }

  label(event, lane, row, y) {
    const group = this.layout.groups.find((one) => one.device === event.device);
    if (event.kind === 'sent') {
      this.packetLabel(event, lane, y);
      return;
    }
    if (event.kind === 'received') {
      return;
    }
    const refusal = refusalOf(event);
    const left = group.leftText;
    const text = labelWithRule(event, this.model);
    const { x, anchor, width } = this.placeOf(text, group, row);
    const lines = this.layout.lines.get(event.index) ?? [text];
    lines.forEach((line, i) => this.belongs(event.index, this.text(x, y + i * LINE, line, refusal ? 'refusal' : event.kind, anchor, width)));
    const told = this.layout.refusals.get(event.index);
    if (told) {
      const anchor = left ? 'start' : 'end';
      const from = left ? TIME_WIDTH + 6 : this.layout.textEnd;
      this.belongs(event.index, this.text(from, y + 18 + (lines.length - 1) * LINE, safe(told.sentence), 'why', anchor, this.layout.textEnd - TIME_WIDTH - 20));
    }
  }

  /** Where a label stands: beside its device on the outer side, or across the others if only there it fits, and no arrow is there. */
  placeOf(text, group, row) {
    const bars = group.lanes.some((one) => one.ends.length > 0);
    const right = { x: group.to + (bars ? 8 : 4), anchor: 'start' };
    const left = { x: group.from - 8, anchor: 'end' };
    const [outer, across] = group.leftText ? [left, right] : [right, left];
    const width = besideWidth(this.layout);
    if (staysBeside(this.layout, row) || this.measure(text, 12) <= width || this.layout.rows[row] === this.differs) {
      return { ...outer, width };
    }
    return { ...across, width: across === right ? this.layout.textEnd - right.x : left.x - TIME_WIDTH - 6 };
  }

  /** Above the beginning of its arrow. */
  packetLabel(event, lane, y) {
    const arrow = this.model.arrowOf(event);
    const end = arrow && arrow.end >= 0 ? this.laneOf(this.model.events[arrow.end]) : arrow ? this.destination(arrow) : null;
    const from = lane.x;
    const to = end && end !== lane ? end.x : lane.x + 200;
    const notes = arrow.repeats >= 0 ? '↻ ' : '';
    const fault = arrow.fault ? ' · ' + faultText(arrow.fault) : arrow.fate === 'unknown' ? ' · no arrival' : '';
    const classes = arrow.nak || arrow.fate === 'lost' || arrow.fate === 'damaged' ? 'packet refusal' : arrow.response ? 'packet response' : 'packet';
    const words = notes + safe(packetText(event.packet) + fault, 120);
    const width = Math.min(this.measure(words, 12), this.layout.textEnd - TIME_WIDTH - 12);
    const x = Math.max(TIME_WIDTH + 6 + width / 2, Math.min(this.layout.textEnd - 4 - width / 2, (from + to) / 2));
    const element = this.text(x, y - 6, words, classes, 'middle', width);
    this.belongs(event.index, element);
    if (arrow.end >= 0) {
      this.belongs(arrow.end, element);
    }
  }

  text(x, y, words, classes, anchor, width) {
    const size = classes === 'time' ? 11 : 12;
    const element = svg('text', { class: 'label ' + classes.split(' ').map((one) => 'of-' + one).join(' '), x, y: y + 4, 'text-anchor': anchor }, fit(words, width, (text) => this.measure(text, size)));
    this.labels.append(element);
    return element;
  }
}

/** Draws the heads of all columns, and returns their height in pixels. */
export function drawHead(target, model, layout, measure) {
  const standing = [];
  const add = (x, words, classes) => standing.push({ x, classes, words: fit(words, MOST_HEAD, (text) => measure(text, 11)) });
  const parts = [];
  for (const group of layout.groups) {
    const name = fit(safe(group.device, 60), 160, (text) => measure(text, 14));
    parts.push(svg('text', { class: 'head device', x: (group.from + group.to) / 2, y: 18, 'text-anchor': 'middle' }, name));
    for (const lane of group.lanes) {
      add(lane.x, lane.qp === 0 ? 'device' : lane.qp === 1 ? 'qp 1' : 'qp ' + hex(lane.qp), 'lane');
    }
  }
  for (const { key, x } of layout.keys) {
    add(x, safe(key.device, 20) + ' ' + keyText(key.key) + ' ' + rights(key.access), 'keyhead');
  }
  for (const { queue, x } of layout.queues) {
    add(x + QUEUE / 2 - 6, queueText(queue), 'queuehead');
  }
  if (layout.keys.length > 0) {
    parts.push(svg('text', { class: 'head device', x: layout.keys[0].x - KEY / 2, y: 18 }, 'Keys'));
  }
  if (layout.queues.length > 0) {
    parts.push(svg('text', { class: 'head device', x: layout.queues[0].x, y: 18 }, 'Queues'));
  }
  const height = HEAD_LINE + Math.ceil(Math.max(0, ...standing.map(({ words }) => measure(words, 11))));
  parts.push(...standing.map(({ x, classes, words }) => svg('text', { class: 'head ' + classes, transform: `translate(${x + 4},${height - 6}) rotate(-90)` }, words)));
  target.replaceChildren(...parts);
  target.setAttribute('width', layout.width);
  target.setAttribute('height', height);
  return height;
}

/** The name of a queue, with its device: SQ and RQ of a queue pair, a shared receive queue or a completion queue. */
function queueText(queue) {
  const name = queue.name.replace(/^(\d+) (sends|receives)$/, (_, qp, side) => hex(Number(qp)) + (side === 'sends' ? ' SQ' : ' RQ'));
  return safe(queue.device, 20) + ' ' + name;
}
