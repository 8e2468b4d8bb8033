// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.Connected;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.PacketDropped;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.trace.TraceEvent.ReceivePosted;
import dev.verbatim.trace.TraceEvent.SendPosted;
import dev.verbatim.trace.TraceEvent.SharedReceivePosted;
import dev.verbatim.trace.TraceEvent.Started;
import dev.verbatim.trace.TraceEvent.StateChanged;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges the peer of a device. It takes the events of the own device as they happen, and reports of the peer: its posts, its
 * completions, its keys and the stores of its programs, in the order in which they happened there; between the two sides no order
 * is assumed.
 */
public final class PeerJudge {

    private final Findings findings;
    private final List<PeerConnection> connections = new ArrayList<>();
    private final Map<String, PeerConnection> present = new HashMap<>();
    private final Map<Integer, PeerQueuePair> queuePairs = new LinkedHashMap<>();
    private final Map<Integer, Integer> lives = new HashMap<>();
    private final PeerKeys keys = new PeerKeys();
    private final PeerBytes bytes = new PeerBytes();
    private final List<ReceiveWorkRequest> shared = new ArrayList<>();
    private final Map<Long, byte[]> last = new TreeMap<>();
    private final Set<Gid> ownAddresses = new HashSet<>();
    private boolean hasSent;

    public PeerJudge(Findings findings) {
        this.findings = findings;
    }

    /** An event of the own device. */
    public void own(TraceEvent event, long position) {
        if (event instanceof SendPosted posted) {
            connection(event).responder().posted(posted.request());
        } else if (event instanceof Started started) {
            connection(event).responder().started(started, position);
        } else if (event instanceof Connected connected) {
            ownAddresses.add(connected.source());
            connection(event).leadsTo(connected.destination());
            joined(connection(event), connected.destinationQp());
        } else if (event instanceof StateChanged changed && changed.to() == QpState.RESET) {
            present.remove(event.device() + '/' + event.qp());
        } else if (event instanceof PacketSent sent) {
            hasSent = true;
            ownAddresses.add(sent.source());
            PeerConnection connection = connection(event);
            connection.speaks(sent);
            if (connection.isReliable() && sent.isResponse()) {
                connection.requester().answered(sent, position);
            } else {
                connection.responder().sent(sent);
            }
        } else if (event instanceof PacketDropped dropped && !dropped.isResponse()) {
            connection(event).requester().dropped(dropped.psn());
        } else if (event instanceof PacketReceived received) {
            PeerConnection connection = connection(event);
            connection.speaks(received);
            if (connection.isReliable() && received.isResponse()) {
                connection.responder().received(received, position);
            } else if (connection.isReliable()) {
                connection.requester().received(received, position);
            }
        }
    }

    private void joined(PeerConnection connection, int peerQp) {
        lives.merge(peerQp, 1, Integer::sum);
        connection.joins(queuePair(peerQp));
    }

    private PeerConnection connection(TraceEvent event) {
        return present.computeIfAbsent(event.device() + '/' + event.qp(), key -> {
            String name = event.device() + "/0x" + Integer.toHexString(event.qp());
            PeerConnection connection = new PeerConnection(connections.size(), name, findings);
            connections.add(connection);
            return connection;
        });
    }

    private PeerQueuePair queuePair(int number) {
        return queuePairs.computeIfAbsent(
                number, key -> new PeerQueuePair("the peer's 0x" + Integer.toHexString(key), findings));
    }

    /** An event that the peer reports. */
    public void reported(TraceEvent event, long position) {
        if (event instanceof SendPosted posted) {
            queuePair(event.qp()).posted(posted.request(), posted.signaled());
        } else if (event instanceof ReceivePosted posted) {
            queuePair(event.qp()).posted(posted.request());
        } else if (event instanceof SharedReceivePosted posted) {
            shared.add(posted.request());
        } else if (event instanceof Completed completed) {
            queuePair(event.qp()).completed(completed, position);
        } else if (event instanceof KeyChanged changed) {
            keys.changed(changed);
        } else if (event instanceof StateChanged changed && changed.to() == QpState.RESET) {
            queuePair(event.qp()).reset();
        } else if (event instanceof ProgramTouched touched && touched.store()) {
            if (hasSent) {
                bytes.anything(touched.address(), touched.lengthBytes());
            } else {
                bytes.begin(touched.address(), arrayOf(touched.data()));
            }
        }
    }

    /** Bytes of the peer's memory when nothing is left to happen. */
    public void memoryAtEnd(long address, ByteBuffer data) {
        last.put(address, arrayOf(data));
    }

    private static byte[] arrayOf(ByteBuffer data) {
        byte[] copy = new byte[data.remaining()];
        data.duplicate().get(copy);
        return copy;
    }

    /** The run is over, and all reports are there. Call it once. */
    public void judge() {
        connections.removeIf(connection -> connection.leadsToOneOf(ownAddresses));
        PeerMemory memory = new PeerMemory(findings, keys, bytes);
        shared.forEach(memory::receives);
        queuePairs.forEach((number, queuePair) -> {
            queuePair.askedForResults().forEach(memory::asks);
            if (!isOneReliableLife(number, queuePair)) {
                queuePair.receives.forEach(memory::receives);
            }
        });
        connections.forEach(memory::claim);
        connections.forEach(memory::play);
        last.forEach(memory::atEnd);
        for (PeerConnection connection : connections) {
            if (connection.isReliable()) {
                connection.responder().checkKeys(keys);
                compare(connection);
            }
        }
    }

    /** Whether the reports of a queue pair are of one connection, which numbers what it sends. */
    private boolean isOneReliableLife(int number, PeerQueuePair queuePair) {
        return lives.getOrDefault(number, 0) == 1
                && !queuePair.livedAgain()
                && connections.stream().anyMatch(one -> one.isReliable() && queuePair.equals(one.peer()));
    }

    private void compare(PeerConnection connection) {
        for (Map.Entry<Integer, PeerQueuePair> entry : queuePairs.entrySet()) {
            if (entry.getValue().equals(connection.peer()) && isOneReliableLife(entry.getKey(), entry.getValue())) {
                entry.getValue().compare(connection.responder(), connection.requester());
                return;
            }
        }
        findings.notJudged(Gap.PEER_WAS_RESET);
    }
}
