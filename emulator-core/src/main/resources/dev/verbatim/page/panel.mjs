// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// The details beside the drawing: the event, its request, memory at that moment, and the legend.

import { svg, symbol } from './draw.mjs';
import { stateOf, wayOf } from './requests.mjs';
import { bytesText, hex, keyText, label, lackText, packetText, refusalOf, safe, timeText } from './words.mjs';

const MOST_RANGES = 12;
const STRIP = 288;

/** An HTML element with text and children. */
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Fills the panel for event `at`. `go` is called with an event that is chosen there. */
export function fillPanel(panel, model, rules, at, request, go) {
  const legendOpen = panel.querySelector('details.symbols')?.open ?? true;
  const parts = [];
  const event = model.events[at];
  if (event) {
    parts.push(eventPart(event, model, rules));
    if (request >= 0) {
      parts.push(requestPart(model, request, at, go));
    }
    parts.push(...memoryPart(model, at));
  }
  parts.push(legend(legendOpen));
  const top = panel.scrollTop;
  panel.replaceChildren(...parts);
  panel.scrollTop = top;
}

function eventPart(event, model, rules) {
  const part = html('section', {}, html('h2', {}, label(event, model)));
  const facts = [];
  if (event.device) {
    facts.push(['device', safe(event.device, 80)], ['queue pair', event.qp ? hex(event.qp) : '—']);
  }
  if (event.timeNanos !== undefined) {
    facts.push(['time', timeText(event.timeNanos - model.firstNanos)]);
  }
  facts.push(...factsOf(event, model));
  part.append(html('dl', {}, ...facts.flatMap(([name, value]) => [html('dt', {}, name), html('dd', {}, safe(value))])));
  if (event.kind === 'caption' && event.text) {
    part.append(html('p', {}, safe(event.text, 2000)));
  }
  for (let refusal = refusalOf(event); refusal; refusal = refusal.cause) {
    part.append(html('div', { class: 'why' }, html('p', { class: 'refusal' }, safe(refusal.sentence)), ruleText(refusal.rule, rules)));
  }
  if (event.kind === 'choice') {
    part.append(html('div', { class: 'why choice' }, html('p', {}, 'This choice is not the default. Permitted by:'), ...event.rules.map((rule) => ruleText(rule, rules))));
  }
  const revoked = model.deadKeys.get(event.index);
  if (revoked !== undefined) {
    part.append(html('p', { class: 'refusal' }, 'Its key is dead: ' + label(model.events[revoked], model) + ' at '
      + timeText(model.events[revoked].timeNanos - model.firstNanos) + '.'));
  }
  const decided = (model.rules.get(event.index) ?? []).map((i) => model.events[i].rule);
  if (decided.length > 0) {
    const list = html('ol', {}, ...[...new Set(decided)].map((rule) => html('li', {}, ruleText(rule, rules))));
    part.append(html('details', {}, html('summary', {}, decided.length + ' rule' + (decided.length === 1 ? '' : 's') + ' decided here'), list));
  }
  return part;
}

function ruleText(rule, rules) {
  return html('p', { class: 'quiet' }, safe(rule, 20) + (rules[rule] ? ': ' + safe(rules[rule]) : ''));
}

function factsOf(event, model) {
  const facts = [];
  if (event.packet) {
    const { packet } = event;
    facts.push(['packet', packet.opcode], ['psn', String(packet.psn)], ['to', 'qp ' + hex(packet.destQp)]);
    if (packet.reth) {
      facts.push(['address', packet.reth.remoteAddress], ['key', keyText(packet.reth.remoteKey)], ['length', packet.reth.dmaLengthBytes + ' B']);
    }
    if (packet.atomicEth) {
      facts.push(['address', packet.atomicEth.remoteAddress], ['key', keyText(packet.atomicEth.remoteKey)]);
    }
    if (packet.ieth) {
      facts.push(['invalidates', keyText(packet.ieth.invalidateKey)]);
    }
    if (packet.aeth) {
      facts.push(['answer', packet.aeth.meaning]);
    }
    if (packet.payloadBytes) {
      facts.push(['payload', packet.payloadBytes + ' B']);
    }
    const arrow = model.arrowOf(event);
    if (arrow && arrow.notes.length > 0) {
      facts.push(['fate', arrow.notes.join(', ')]);
    }
    if (arrow && arrow.repeats >= 0) {
      facts.push(['repeats', packetText(model.events[arrow.repeats].packet) + ' at ' + timeText(model.events[arrow.repeats].timeNanos - model.firstNanos)]);
    }
  }
  if (event.kind === 'memory' || event.kind === 'shown' || event.kind === 'program') {
    facts.push(['address', event.address + (model.names[event.address] ? ' (' + model.names[event.address] + ')' : '')], ['length', event.lengthBytes + ' B']);
    if (event.held) {
      facts.push(['visible', 'not yet: placed, but programs do not see it']);
    }
  }
  if (event.kind === 'view') {
    facts.push(['domain', event.domain], ['lacks', event.behind ? lackText(event.behind.split(' ')) : '—']);
  }
  if (event.kind === 'older') {
    facts.push(['observer', event.observer], ['sees', event.seen], ['misses', event.missed]);
  }
  if (event.kind === 'posted') {
    facts.push(['request', event.request]);
  }
  if (event.kind === 'key') {
    facts.push(['what', event.what]);
  }
  if (event.kind === 'window') {
    facts.push(['key', keyText(event.rkey)], ['range', event.address + ', ' + event.lengthBytes + ' B'], ['access', event.access], ['type', event.type]);
  }
  if (event.kind === 'polled') {
    facts.push(['completion queue', String(event.cq)], ['left in it', String(event.left)]);
  }
  if (event.kind === 'completed') {
    facts.push(['status', event.status], ['opcode', event.opcode], ['byte_len', String(event.byteLength)]);
    if (event.cq) {
      facts.push(['completion queue', String(event.cq)]);
    }
  }
  return facts;
}

function requestPart(model, index, at, go) {
  const request = model.requests[index];
  const part = html('section', { class: 'way' }, html('h2', {}, 'The way of this request'), html('p', {}, safe(request.text)));
  part.append(html('p', { class: 'quiet' }, stateOf(request, at) + ' at this moment' + (request.status ? ', ends ' + request.status : ', does not end')));
  const list = html('ol', {});
  for (const i of wayOf(model, index)) {
    const event = model.events[i];
    const button = html('button', { type: 'button', 'data-way': i }, safe(event.device ?? '', 30) + '  ' + (event.kind === 'sent' ? 'send ' : '') + label(event, model));
    button.addEventListener('click', () => go(i));
    if (i === at) {
      button.setAttribute('aria-current', 'true');
    }
    list.append(html('li', {}, button));
  }
  part.append(list);
  return part;
}

function memoryPart(model, at) {
  const values = model.memory.at(at);
  const parts = [];
  for (const region of model.regions) {
    const touched = region.spots.filter((spot) => values.get(spot).last >= 0);
    if (touched.length === 0) {
      continue;
    }
    const part = html('section', {}, html('h2', {}, 'Memory of ' + safe(region.device, 40)));
    part.append(html('p', { class: 'quiet' }, region.title + inDomain(touched, values) + ' at 0x' + region.from.toString(16) + ', ' + (region.to - region.from) + ' B'));
    part.append(strip(region, values, at));
    const list = html('div', { class: 'bytes' });
    const ranges = rangesOf(touched, values);
    const recent = [...ranges].sort((a, b) => b.last - a.last).slice(0, MOST_RANGES);
    for (const range of ranges.filter((one) => recent.includes(one))) {
      const shown = range.shown.length > 0 ? bytesText(range.shown, 18) : 'unchanged';
      const unseen = range.unseen ? ' (' + range.unseen + ')' : '';
      const text = range.held ? shown + ' (placed: ' + bytesText(range.placed, 18) + ')' : shown + unseen;
      const name = range.name || '+' + (range.from - region.from);
      list.append(html('span', { class: 'address' }, safe(name, 24)), html('span', {}, (range.to - range.from) + ' B'), html('span', {}, safe(text)));
    }
    part.append(list);
    if (ranges.length > recent.length) {
      part.append(html('p', { class: 'quiet' }, 'and ' + (ranges.length - recent.length) + ' more, touched earlier'));
    }
    parts.push(part);
  }
  return parts;
}

function inDomain(spots, values) {
  const known = spots.map((spot) => values.get(spot)).find((value) => value.domain);
  return known ? ' in ' + safe(known.domain, 24) : '';
}

/** Spots that follow each other without a gap, as one range each; names begin ranges of their own. */
function rangesOf(spots, values) {
  const ranges = [];
  for (const spot of spots) {
    const value = values.get(spot);
    const before = ranges[ranges.length - 1];
    const unseen = lackText(value.behind);
    if (before && before.to === spot.from && before.held === value.held && before.unseen === unseen && !spot.name) {
      before.to = spot.to;
      before.last = Math.max(before.last, value.last);
      before.shown.push(...(value.shown ?? []));
      before.placed.push(...(value.placed ?? []));
    } else {
      ranges.push({ name: spot.name, from: spot.from, to: spot.to, last: value.last, held: value.held, unseen, shown: [...(value.shown ?? [])], placed: [...(value.placed ?? [])] });
    }
  }
  return ranges;
}

const READS = ['GATHERED', 'FETCHED', 'LOADED'];

const PLACED = { name: 'placed', classes: (value, reads) => (value.placed && !reads ? ' full' : ''), title: (value) => 'placed ' + (value.placed ? bytesText(value.placed) : '—') };
const SHOWN = { name: 'shown', classes: (value, reads) => (value.held ? ' held' : value.shown && !reads ? ' full' : ''), title: (value) => 'shown ' + (value.shown ? bytesText(value.shown) : '—') };
const ACCEPTED = { ...PLACED, name: 'accepted', classes: (value) => (value.placed ? ' full' : ''), title: (value) => 'accepted ' + (value.placed ? bytesText(value.placed) : '—') };
const ARRIVED = { ...SHOWN, name: 'arrived', classes: (value) => (value.held ? ' held' : value.shown ? ' full' : ''), title: (value) => 'arrived ' + (value.shown ? bytesText(value.shown) : '—') };
const VISIBLE = { name: 'visible', classes: (value) => lateOr(value, unseenBy(value).length > 0), title: (value) => whoSees(value) };
const DURABLE = { name: 'durable', classes: (value) => lateOr(value, isVolatile(value)), title: (value) => (value.held ? 'not arrived' : isVolatile(value) ? 'may be lost when power fails' : 'durable') };

const isVolatile = (value) => value.behind.some((name) => name.endsWith('/power'));
const lateOr = (value, isLate) => (value.held || isLate ? ' held' : value.shown ? ' full' : '');

/** The observers that may still see an older value. */
export function unseenBy(value) {
  return value.behind.filter((name) => !name.endsWith('/power'));
}

function whoSees(value) {
  return value.held ? 'not arrived' : unseenBy(value).length > 0 ? 'not yet seen by ' + unseenBy(value).join(', ') : 'seen by all';
}

/** What is drawn of a region: what the device placed and what programs see; of a memory domain also who sees it, and what is durable. */
export function bandsOf(region, values) {
  const known = region.spots.map((spot) => values.get(spot)).find((value) => value.domain);
  return known ? [ACCEPTED, ARRIVED, VISIBLE, ...(known.persistent ? [DURABLE] : [])] : [PLACED, SHOWN];
}

/** A band below another for each of them, with a box for each spot. */
function strip(region, values, at) {
  const bands = bandsOf(region, values);
  const left = bands.length > 2 ? 50 : 38;
  const band = STRIP - left - 4;
  const drawing = svg('svg', { class: 'strip bands-' + bands.length, viewBox: `0 0 ${STRIP} ${2 + 14 * bands.length}`, preserveAspectRatio: 'xMinYMid', role: 'img', 'aria-label': bands.map((one) => one.name).join(' above ') });
  const scale = band / region.spots.length;
  bands.forEach(({ name, classes, title }, row) => {
    const y = 3 + 14 * row;
    drawing.append(svg('text', { x: 0, y: y + 8 }, name), svg('rect', { class: 'ground', x: left, y, width: band, height: 10 }));
    region.spots.forEach((spot, k) => {
      const value = values.get(spot);
      if (value.last >= 0) {
        const recent = row === 0 && value.last === at ? ' recent' : '';
        const box = svg('rect', { class: 'spot' + classes(value, READS.includes(value.effect)) + recent, x: left + k * scale, y, width: Math.max(1, scale - 2), height: 10 });
        box.append(svg('title', {}, '0x' + spot.from.toString(16) + ' ' + title(value)));
        drawing.append(box);
      }
    });
  });
  return drawing;
}

const LEGEND = [
  [{ kind: 'posted' }, 'request posted'], [{ kind: 'started' }, 'started'],
  [{ kind: 'completed', status: 'SUCCESS' }, 'completed'], [{ kind: 'completed', status: '' }, 'failed'], [{ kind: 'polled' }, 'polled'],
  [{ kind: 'memory', effect: 'FETCHED' }, 'memory read'], [{ kind: 'memory', effect: 'PLACED' }, 'memory written'],
  [{ kind: 'memory', effect: 'PLACED', held: true }, 'placed, not shown'], [{ kind: 'program', store: true }, 'program stores'],
  [{ kind: 'view', behind: 'some' }, 'arrived, not seen by all'], [{ kind: 'older' }, 'older value seen'],
  [{ kind: 'key', valid: true }, 'key valid'], [{ kind: 'key', valid: false }, 'key revoked'],
  [{ kind: 'window', change: 'BOUND' }, 'window'], [{ kind: 'event' }, 'event'],
  [{ kind: 'state' }, 'state changes'], [{ kind: 'dropped' }, 'packet dropped'],
  [{ kind: 'choice' }, 'choice'],
];

function legend(open) {
  const grid = html('div', { class: 'legend' });
  for (const [event, words] of LEGEND) {
    const picture = svg('svg', { width: 22, height: 16, viewBox: '-11 -8 22 16', 'aria-hidden': 'true' });
    picture.append(symbol(event));
    grid.append(picture, html('span', {}, words));
  }
  const lines = [['arrow request', 'request packet'], ['arrow response', 'answer'], ['arrow lost', 'lost'], ['arrow repeated', 'sent again'], ['arrow nak', 'refusal (NAK)'],
    ['state state-RTS', 'ready to send'], ['state state-ERR', 'error state']];
  for (const [classes, words] of lines) {
    const picture = svg('svg', { width: 24, height: 16, 'aria-hidden': 'true' });
    const group = svg('g', { class: classes });
    group.append(svg('line', { class: classes, x1: 1, x2: 23, y1: 8, y2: 8 }));
    picture.append(group);
    grid.append(picture, html('span', {}, words));
  }
  for (const [kind, height, words] of [['refusal', 11, 'tick: refusal, loss'], ['choice', 7, 'tick: choice']]) {
    const picture = svg('svg', { width: 24, height: 16, 'aria-hidden': 'true' });
    picture.append(svg('rect', { x: 11, y: 13 - height, width: 2, height, class: 'tick-' + kind }));
    grid.append(picture, html('span', {}, words));
  }
  const rules = svg('svg', { width: 22, height: 16, viewBox: '-11 -8 22 16', 'aria-hidden': 'true' });
  rules.append(svg('circle', { class: 'rules', r: 2.4 }));
  grid.append(rules, html('span', {}, 'rules decided'));
  const keys = html('p', { class: 'quiet' }, 'Keys: ↑ ↓ step, n and p along the request, space plays, / finds, c next choice, r next refusal, Esc clears.');
  const details = html('details', { class: 'symbols' }, html('summary', {}, 'Symbols and keys'), grid, keys);
  details.open = open;
  return html('section', {}, details);
}
