// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// What lasts: keys and windows, states of queue pairs, depths of queues, bytes of memory.

import { bytesOf } from './words.mjs';

/** Keys from the event that makes them valid to the event that revokes them; `dead` maps accesses to the revocation. */
export function followKeys(events) {
  const keys = [];
  const current = new Map();
  const dead = new Map();
  let window = null;
  events.forEach((event, i) => {
    if (event.kind === 'key') {
      const name = event.device + ' ' + event.key;
      if (event.valid) {
        keys.push({ index: keys.length, device: event.device, key: event.key, from: i, to: -1, what: event.what, access: accessOf(event.what), window: 0 });
        current.set(name, keys[keys.length - 1]);
      } else if (current.has(name)) {
        current.get(name).to = i;
      }
    } else if (event.kind === 'window') {
      window = current.get(event.device + ' ' + event.rkey);
      if (window && event.change === 'BOUND') {
        Object.assign(window, { window: event.window, access: event.access });
      }
    } else if (event.kind === 'received' || event.kind === 'dropped') {
      const used = event.packet.reth?.remoteKey ?? event.packet.atomicEth?.remoteKey;
      const key = used ? current.get(event.device + ' ' + used) : undefined;
      if (key && key.to >= 0) {
        dead.set(i, key.to);
      }
    }
  });
  return { keys, dead };
}

const accessOf = (what) => /access=([A-Z_|]+)/.exec(what ?? '')?.[1] ?? '';

/** R, W and A for what a peer may do with a key. */
export function rights(access) {
  return [['REMOTE_READ', 'R'], ['REMOTE_WRITE', 'W'], ['REMOTE_ATOMIC', 'A']]
    .filter(([flag]) => access.includes(flag)).map(([, letter]) => letter).join('');
}

/** Spans of one state: from an event to an event, -1 for the end of the trace. */
export function followStates(events) {
  const spans = [];
  const current = new Map();
  events.forEach((event, i) => {
    if (event.kind !== 'state') {
      return;
    }
    const name = event.device + ' ' + event.qp;
    if (current.has(name)) {
      current.get(name).to = i;
    }
    const span = { device: event.device, qp: event.qp, state: event.to, from: i, to: -1 };
    spans.push(span);
    current.set(name, span);
  });
  return spans;
}

/** For each queue the depths that it had: pairs of event and depth. Requests stand in the order of their posts. */
export function followQueues(events, requests) {
  return [...followWorkQueues(requests), ...followCompletionQueues(events)];
}

/** Completion queues rise with each completion, and fall with each poll to what it left. */
function followCompletionQueues(events) {
  const queues = new Map();
  events.forEach((event, i) => {
    if (event.cq && (event.kind === 'completed' || event.kind === 'polled')) {
      const id = event.device + ' ' + event.cq;
      if (!queues.has(id)) {
        queues.set(id, { device: event.device, qp: 0, name: 'cq ' + event.cq, receive: false, most: 0, depth: 0, points: [] });
      }
      const queue = queues.get(id);
      queue.depth = event.kind === 'completed' ? queue.depth + 1 : event.left;
      queue.most = Math.max(queue.most, queue.depth);
      queue.points.push([i, queue.depth]);
    }
  });
  return [...queues.values()];
}

function followWorkQueues(requests) {
  const queues = new Map();
  const completed = requests.filter((request) => request.completed >= 0).sort((a, b) => a.completed - b.completed);
  let over = 0;
  for (const request of requests) {
    while (over < completed.length && completed[over].completed < request.posted) {
      step(completed[over].completed, -1, completed[over++]);
    }
    step(request.posted, 1, request);
  }
  for (; over < completed.length; over++) {
    step(completed[over].completed, -1, completed[over]);
  }
  return [...queues.values()];

  function step(i, change, request) {
    const name = request.srq ? 'srq ' + request.srq : request.qp + (request.receive ? ' receives' : ' sends');
    const id = request.device + ' ' + name;
    let queue = queues.get(id);
    if (!queue) {
      queue = { device: request.device, qp: request.qp, name, receive: request.receive, most: 0, depth: 0, points: [] };
      queues.set(id, queue);
    }
    queue.depth += change;
    queue.most = Math.max(queue.most, queue.depth);
    queue.points.push([i, queue.depth]);
  }
}

const MOST_SPOTS = 400;

const addressOf = (text) => BigInt(text);

const OF_MEMORY = ['memory', 'shown', 'program', 'view'];

function touchesMemory(event) {
  return OF_MEMORY.includes(event.kind) && event.lengthBytes > 0;
}

/** Where a trace touches memory, by device: ranges that do not overlap, each with the events that touch it. */
export function findSpots(events) {
  const byDevice = new Map();
  events.forEach((event, i) => {
    if (touchesMemory(event)) {
      if (!byDevice.has(event.device)) {
        byDevice.set(event.device, []);
      }
      const from = addressOf(event.address);
      byDevice.get(event.device).push({ i, from, to: from + BigInt(event.lengthBytes) });
    }
  });
  const spots = [];
  for (const [device, touches] of byDevice) {
    const edges = [...new Set(touches.flatMap((touch) => [touch.from, touch.to]))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const covered = touches.map((touch) => [touch.from, touch.to]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
    let reach = 0;
    let end = -1n;
    for (let k = 0; k + 1 < edges.length && spots.length < MOST_SPOTS; k++) {
      while (reach < covered.length && covered[reach][0] <= edges[k]) {
        end = covered[reach][1] > end ? covered[reach][1] : end;
        reach++;
      }
      if (end > edges[k]) {
        spots.push({ device, from: edges[k], to: edges[k + 1], region: null });
      }
    }
  }
  return spots;
}

/** The regions of a trace that it touches, each with its spots. */
export function findRegions(events, spots, names) {
  const regions = new Map();
  for (const event of events) {
    if (event.kind === 'key' && event.valid && /^region/.test(event.what)) {
      const id = event.device + ' ' + event.memoryAddress;
      const from = addressOf(event.memoryAddress);
      const known = regions.get(id);
      if (!known || known.to < from + BigInt(event.lengthBytes)) {
        regions.set(id, { device: event.device, from, to: from + BigInt(event.lengthBytes), title: 'region', spots: [] });
      }
    }
  }
  const all = [...regions.values()];
  const other = new Map();
  for (const spot of spots) {
    let region = all.filter((one) => one.device === spot.device && one.from <= spot.from && spot.to <= one.to)
      .sort((a, b) => (a.to - a.from < b.to - b.from ? -1 : 1))[0];
    if (!region) {
      region = other.get(spot.device) ?? { device: spot.device, from: spot.from, to: spot.to, title: 'memory', spots: [] };
      other.set(spot.device, region);
      region.to = spot.to > region.to ? spot.to : region.to;
    }
    region.spots.push(spot);
    spot.name = names['0x' + spot.from.toString(16)] ?? '';
  }
  return [...all, ...other.values()].filter((region) => region.spots.length > 0);
}

const READ_EFFECTS = ['GATHERED', 'FETCHED', 'LOADED'];

function effectOf(event) {
  return event.kind === 'program' ? (event.store ? 'STORED' : 'LOADED') : event.effect ?? 'SHOWN';
}

/** Of each region in a memory domain, the devices whose node has this memory: that of which views are told, and others that register it. */
function nodesOf(events, regions) {
  const views = events.filter((event) => event.kind === 'view' && event.lengthBytes > 0);
  const homes = new Map();
  for (const region of regions) {
    const seen = views.find((view) => addressOf(view.address) < region.to && region.from < addressOf(view.address) + BigInt(view.lengthBytes));
    if (seen) {
      homes.set(region, seen.device);
    }
  }
  const devices = (home) => new Set([home, ...[...homes].filter(([, other]) => other === home).map(([region]) => region.device)]);
  return new Map([...homes].map(([region, home]) => [region, devices(home)]));
}

/**
 * What a device and its programs see of its memory after some event. Moves forward cheaply, and begins anew to move back.
 */
export class MemoryAt {
  constructor(events, regions) {
    this.events = events;
    this.regions = regions;
    this.touches = [];
    this.nodes = nodesOf(events, regions);
    events.forEach((event, i) => {
      if (touchesMemory(event)) {
        this.touches.push(i);
      }
    });
    this.reset();
  }

  reset() {
    this.next = 0;
    this.values = new Map();
    for (const region of this.regions) {
      for (const spot of region.spots) {
        this.values.set(spot, { placed: null, shown: null, held: false, last: -1, effect: '', domain: '', persistent: false, behind: [] });
      }
    }
  }

  /** The values of all spots after event `at`. */
  at(at) {
    if (this.next > 0 && this.touches[this.next - 1] > at) {
      this.reset();
    }
    while (this.next < this.touches.length && this.touches[this.next] <= at) {
      this.apply(this.touches[this.next++]);
    }
    return this.values;
  }

  apply(i) {
    const event = this.events[i];
    const from = addressOf(event.address);
    const to = from + BigInt(event.lengthBytes);
    const bytes = bytesOf(event.data ?? '');
    for (const region of this.regions) {
      const isOwn = region.device === event.device;
      if (!(isOwn || this.nodes.get(region)?.has(event.device)) || region.to <= from || to <= region.from) {
        continue;
      }
      for (const spot of region.spots) {
        if (spot.from < to && from < spot.to) {
          const part = bytes.slice(Number(spot.from - from), Number(spot.to - from));
          if (isOwn || event.kind === 'view') {
            this.touch(this.values.get(spot), event, i, part);
          } else {
            this.arrive(this.values.get(spot), event, i, part);
          }
        }
      }
    }
  }

  /** Another adapter of the node, or its CPU, brings bytes home: this adapter did not accept them, but finds them there. */
  arrive(value, event, i, part) {
    if (event.kind === 'shown' || (event.held !== true && !READ_EFFECTS.includes(effectOf(event)))) {
      value.shown = part;
      value.last = i;
    }
  }

  touch(value, event, i, part) {
    if (event.kind === 'view') {
      Object.assign(value, { domain: event.domain, persistent: event.persistent, behind: event.behind ? event.behind.split(' ') : [] });
      return;
    }
    value.last = i;
    value.effect = effectOf(event);
    const reads = READ_EFFECTS.includes(value.effect);
    if (event.kind === 'shown') {
      value.shown = part;
      value.held = false;
    } else if (reads) {
      value.placed = value.placed ?? part;
      value.shown = value.domain ? value.shown ?? part : value.effect === 'LOADED' || !value.held ? part : value.shown;
    } else {
      value.placed = part;
      value.held = event.held === true;
      value.shown = value.held ? value.shown : part;
    }
  }
}
