// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// Work requests from post to completion, with all events on their way.

const PSN_MASK = 0xffffff;
const HALF = 0x800000;

/** Whether a PSN lies in [first, first + packets), modulo 2^24. */
export function inRange(psn, first, packets) {
  return ((psn - first) & PSN_MASK) < packets;
}

const idOf = (request) => Number(/wr_id=(\d+)/.exec(request)?.[1] ?? NaN);
const isReceive = (event) => /^RECV/.test(event.request ?? event.opcode ?? '');

/**
 * The requests of a trace, and for each event the request that it belongs to (-1 for none). A request has `device`, `qp`, `id`,
 * `text`, the events `posted`, `started`, `acknowledged`, `completed`, `polled` (-1 where there is none), its `status`, and all its events.
 */
export function followRequests(events, packets) {
  const requests = [];
  const byEvent = new Int32Array(events.length).fill(-1);
  const queues = new Map();
  const deviceOf = new Map();
  const peers = new Map();
  const waiting = new Map();

  const queue = (device, qp) => {
    const name = device + ' ' + qp;
    if (!queues.has(name)) {
      queues.set(name, { posted: [], begun: [], receives: [], last: -1 });
    }
    return queues.get(name);
  };

  function belongs(i, request) {
    if (request >= 0) {
      byEvent[i] = request;
      requests[request].events.push(i);
    }
    return request;
  }

  function post(event, i) {
    const receive = isReceive(event);
    requests.push({
      index: requests.length, device: event.device, qp: event.srq ? 0 : event.qp, srq: event.srq ?? 0, id: idOf(event.request),
      text: event.request, receive, signaled: event.signaled ?? true, posted: i, started: -1, acknowledged: -1, completed: -1, polled: -1,
      firstPsn: -1, packets: 0, status: '', events: [], received: -1,
    });
    const request = requests.length - 1;
    const own = event.srq ? queue(event.device, 'srq' + event.srq) : queue(event.device, event.qp);
    (receive ? own.receives : own.posted).push(request);
    belongs(i, request);
  }

  function start(event, i) {
    const own = queue(event.device, event.qp);
    const at = own.posted.findIndex((request) => requests[request].id === event.workRequestId);
    if (at < 0) {
      return;
    }
    const [request] = own.posted.splice(at, 1);
    Object.assign(requests[request], { started: i, firstPsn: event.firstPsn, packets: event.packets });
    own.begun.push(request);
    belongs(i, request);
  }

  /** The newest request that was given the PSN. */
  function ofPsn(device, qp, psn) {
    const begun = queue(device, qp).begun;
    for (let k = begun.length - 1; k >= 0; k--) {
      if (inRange(psn, requests[begun[k]].firstPsn, requests[begun[k]].packets)) {
        return begun[k];
      }
    }
    return -1;
  }

  function packet(event, i) {
    const arrow = packets.byEvent[i] >= 0 ? packets.arrows[packets.byEvent[i]] : null;
    if (!arrow) {
      return;
    }
    const sender = arrow.sent >= 0 ? events[arrow.sent] : null;
    let request = -1;
    if (arrow.response) {
      const receiver = event.kind === 'received' ? event : null;
      const device = receiver?.device ?? deviceOf.get(event.destination ?? sender?.destination);
      request = device === undefined ? -1 : ofPsn(device, event.packet.destQp, event.packet.psn);
      if (receiver && request >= 0) {
        acknowledge(receiver, i, request, arrow.nak);
      }
    } else if (sender) {
      request = ofPsn(sender.device, sender.qp, event.packet.psn);
      if (event.kind === 'received' && event.qp > 1) {
        // The responder's memory is found by what it received last under that PSN.
        peers.set(event.device + ' ' + event.qp, { device: sender.device, qp: sender.qp });
        queue(event.device, event.qp).last = request;
      }
    }
    belongs(i, request);
  }

  /** An acknowledgement is for all requests up to its PSN. */
  function acknowledge(event, i, request, nak) {
    for (const begun of queue(event.device, event.qp).begun) {
      const one = requests[begun];
      const last = (one.firstPsn + Math.max(one.packets, 1) - 1) & PSN_MASK;
      const covered = ((event.packet.psn - last) & PSN_MASK) < HALF;
      if (one.acknowledged < 0 && covered && (begun !== request || !nak)) {
        one.acknowledged = i;
      }
    }
  }

  function memory(event, i) {
    const own = event.effect === 'GATHERED' || event.effect === 'RETURNED';
    if (own) {
      belongs(i, event.psn < 0 ? newest(queue(event.device, event.qp).posted) : ofPsn(event.device, event.qp, event.psn));
      return;
    }
    const peer = peers.get(event.device + ' ' + event.qp);
    const request = peer ? ofPsn(peer.device, peer.qp, event.psn) : -1;
    belongs(i, request >= 0 ? request : ofPsn(event.device, event.qp, event.psn));
  }

  const newest = (list) => (list.length > 0 ? list[list.length - 1] : -1);

  function complete(event, i) {
    const own = queue(event.device, event.qp);
    let request = -1;
    if (isReceive(event)) {
      const at = own.receives.findIndex((one) => requests[one].id === event.workRequestId);
      request = at >= 0 ? own.receives.splice(at, 1)[0] : -1;
      if (request >= 0 && event.status === 'SUCCESS') {
        requests[request].received = own.last;
      }
    } else {
      const begun = own.begun.filter((one) => requests[one].completed < 0 && requests[one].id === event.workRequestId);
      const waiting = own.posted.filter((one) => requests[one].id === event.workRequestId);
      request = begun.length > 0 ? begun[0] : waiting.length > 0 ? waiting[0] : -1;
      if (waiting.length > 0 && begun.length === 0) {
        own.posted.splice(own.posted.indexOf(request), 1);
      }
      finishEarlier(own, request, i);
    }
    if (request >= 0) {
      Object.assign(requests[request], { completed: i, status: event.status });
    }
    if (event.cq) {
      waitingIn(event).push({ qp: event.qp, id: event.workRequestId, request });
    }
    belongs(i, request);
  }

  /** The completions that wait in the completion queue of an event, oldest first. */
  function waitingIn(event) {
    const name = event.device + ' ' + event.cq;
    if (!waiting.has(name)) {
      waiting.set(name, []);
    }
    return waiting.get(name);
  }

  /** Completions are polled in order: those before the one that is polled were purged, or found no room. */
  function poll(event, i) {
    const all = waitingIn(event);
    const isPolled = (one) => one !== undefined && one.qp === event.qp && one.id === event.workRequestId;
    const last = all.length - 1 - event.left;
    const at = isPolled(all[last]) ? last : all.findIndex(isPolled);
    if (at >= 0) {
      const { request } = all[at];
      all.splice(0, at + 1);
      if (request >= 0) {
        requests[request].polled = i;
      }
      belongs(i, request);
    }
  }

  /** Requests without a completion of their own are over when a later one completes; of the completed ones few stay known. */
  function finishEarlier(own, request, i) {
    for (const one of own.begun) {
      if (one < request && !requests[one].signaled && requests[one].completed < 0) {
        Object.assign(requests[one], { completed: i, status: 'UNSIGNALED' });
      }
    }
    if (own.begun.length > 64) {
      own.begun = own.begun.filter((one, k) => requests[one].completed < 0 || k >= own.begun.length - 32);
    }
  }

  function take(event, i) {
    const shared = queue(event.device, 'srq' + event.srq).receives;
    const at = shared.findIndex((one) => requests[one].id === event.workRequestId);
    if (at >= 0) {
      const [request] = shared.splice(at, 1);
      requests[request].qp = event.qp;
      queue(event.device, event.qp).receives.push(request);
      belongs(i, request);
    }
  }

  const handlers = {
    posted: post, taken: take, started: start, sent: packet, received: packet, dropped: packet, fault: packet, memory, shown: memory,
    completed: complete, polled: poll,
  };
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (event.source && (event.kind === 'sent' || event.kind === 'connected')) {
      deviceOf.set(event.source, event.device);
    }
    handlers[event.kind]?.(event, i);
  }
  return { requests, byEvent, deviceOf };
}

/** All events on the way of a request: its own, and those of the receive that takes its message. */
export function wayOf(model, index) {
  const request = model.requests[index];
  const way = new Set(request.events);
  const other = request.receive ? request.received : model.requests.findIndex((one) => one.receive && one.received === index);
  if (other >= 0) {
    model.requests[other].events.forEach((i) => way.add(i));
  }
  return [...way].sort((a, b) => a - b);
}

/** posted, started, acknowledged, completed, failed or flushed, when event `at` has happened. */
export function stateOf(request, at = Infinity) {
  if (request.completed >= 0 && request.completed <= at) {
    return request.status === 'SUCCESS' || request.status === 'UNSIGNALED' ? 'completed'
      : request.status === 'WR_FLUSH_ERR' ? 'flushed' : 'failed';
  }
  if (request.acknowledged >= 0 && request.acknowledged <= at) {
    return 'acknowledged';
  }
  return request.started >= 0 && request.started <= at ? 'started' : 'posted';
}
