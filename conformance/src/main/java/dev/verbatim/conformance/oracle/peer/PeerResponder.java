// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.PacketFields;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.trace.TraceEvent.Started;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The peer of one queue pair as a responder: each of its answers is held against what it was asked. */
final class PeerResponder {

    static final int PSN_MASK = 0xff_ffff;
    private static final long PSN_COUNT = PSN_MASK + 1L;

    private static final int KIND_MASK = 0xe0;
    private static final int CODE_MASK = 0x1f;
    private static final int POSITIVE = 0x00;
    private static final int NOT_READY = 0x20;
    private static final int NEGATIVE = 0x60;
    private static final int SEQUENCE_ERROR = 0;
    private static final int ACCESS_ERROR = 2;
    private static final int LAST_NAK_CODE = 4;

    private final String name;
    private final Findings findings;
    final List<AskedRequest> requests = new ArrayList<>();
    private final List<SendWorkRequest> posted = new ArrayList<>();
    private int messages;
    private long nextPsn = -1;
    private long sentUpTo = -1;

    /** Everything up to here was acknowledged; -1 for nothing. */
    private long acknowledged = -1;

    /** The packet that was refused for good; -1 if none was. */
    long refusedPsn = -1;

    PeerResponder(String name, Findings findings) {
        this.name = name;
        this.findings = findings;
    }

    void posted(SendWorkRequest request) {
        posted.add(request);
    }

    void started(Started event, long position) {
        SendWorkRequest request = null;
        for (int i = 0; i < posted.size() && request == null; i++) {
            if (posted.get(i).id() == event.workRequestId()) {
                request = posted.get(i);
                posted.subList(0, i + 1).clear();
            }
        }
        if (request == null || event.packets() == 0) {
            return;
        }
        nextPsn = nextPsn < 0 ? PSN_COUNT + event.firstPsn() : extend(event.firstPsn());
        AskedRequest asked = new AskedRequest(requests.size(), request, nextPsn, event.packets(), position);
        if (asked.takesReceive()) {
            asked.message = messages++;
        }
        requests.add(asked);
        nextPsn += event.packets();
    }

    /** The own device sends a packet of a request. */
    void sent(PacketSent event) {
        long psn = extend(event.psn());
        AskedRequest request = find(psn);
        if (request == null) {
            return;
        }
        if (request.isRead()) {
            sentUpTo = Math.max(sentUpTo, request.lastPsn());
            return;
        }
        sentUpTo = Math.max(sentUpTo, psn);
        int packet = (int) (psn - request.firstPsn);
        byte[] payload = PacketFields.payload(event);
        byte[] before = request.sent[packet];
        request.isAmbiguous |= before != null && !Arrays.equals(before, payload);
        request.sent[packet] = payload;
    }

    /** A response comes from the peer. */
    void received(PacketReceived event, long position) {
        long psn = extend(event.psn());
        if (requests.isEmpty() || psn < requests.get(0).firstPsn) {
            return;
        }
        findings.checked(Check.PEER_ANSWERS);
        AskedRequest request = find(psn);
        if (psn > sentUpTo || request == null) {
            violated(Check.PEER_ANSWERS, position, "answers psn=%d, which it was not asked", event.psn());
            return;
        }
        findings.checked(Check.PEER_SILENCE);
        if (refusedPsn >= 0 && psn > refusedPsn) {
            violated(Check.PEER_SILENCE, position, "answers psn=%d behind a request that it refused", event.psn());
        }
        int kind = event.syndrome() < 0 ? POSITIVE : event.syndrome() & KIND_MASK;
        if (event.syndrome() >= 0) {
            checkSyndrome(request, event, psn, position);
            checkCount(event, kind == POSITIVE ? psn : psn - 1, position);
        }
        if (event.opcodeName().endsWith("ATOMIC_ACKNOWLEDGE")) {
            atomic(request, event, position);
        } else if (!event.opcodeName().endsWith("ACKNOWLEDGE")) {
            read(request, event, psn, position);
        }
        acknowledged = Math.max(acknowledged, kind == POSITIVE ? psn : psn - 1);
        if (kind == NEGATIVE && (event.syndrome() & CODE_MASK) != SEQUENCE_ERROR) {
            refusedPsn = refusedPsn < 0 ? psn : Math.min(refusedPsn, psn);
        }
    }

    private void checkSyndrome(AskedRequest request, PacketReceived event, long psn, long position) {
        findings.checked(Check.PEER_SYNDROME);
        int kind = event.syndrome() & KIND_MASK;
        int code = event.syndrome() & CODE_MASK;
        boolean isReply =
                event.opcodeName().equals("ACKNOWLEDGE") || event.opcodeName().equals("XRC_ACKNOWLEDGE");
        boolean isRight = switch (kind) {
            case POSITIVE -> true;
            case NOT_READY -> isReply && request.takesReceive();
            case NEGATIVE -> isReply && code <= LAST_NAK_CODE && (code != ACCESS_ERROR || hasKey(request));
            default -> false;
        };
        if (!isRight) {
            violated(
                    Check.PEER_SYNDROME,
                    position,
                    "answers psn=%d of %s with syndrome=0x%x",
                    psn & PSN_MASK,
                    request,
                    event.syndrome());
        }
    }

    /** Whether a peer can refuse access to it. */
    private static boolean hasKey(AskedRequest request) {
        return !request.isSend() || request.posted.invalidateKey() != 0;
    }

    private void checkCount(PacketReceived event, long answeredPsn, long position) {
        findings.checked(Check.PEER_MESSAGE_COUNT);
        int least = 0;
        int most = 0;
        for (AskedRequest request : requests) {
            least += request.countedPsn() <= answeredPsn ? 1 : 0;
            most += request.countedPsn() <= sentUpTo ? 1 : 0;
        }
        int beyond = (PacketFields.messageSequence(event) - least) & PSN_MASK;
        if (beyond > most - least) {
            violated(
                    Check.PEER_MESSAGE_COUNT,
                    position,
                    "answers psn=%d with msn=%d, where %d to %d messages can be complete",
                    event.psn(),
                    PacketFields.messageSequence(event),
                    least,
                    most);
        }
    }

    private void atomic(AskedRequest request, PacketReceived event, long position) {
        findings.checked(Check.PEER_RESPONSE);
        Long original = PacketFields.original(event);
        if (!request.isAtomic()) {
            violated(Check.PEER_RESPONSE, position, "answers %s as an atomic", request);
        } else if (request.original != null && !request.original.equals(original)) {
            violated(Check.PEER_ATOMIC, position, "answers %s again, and otherwise", request);
        } else {
            request.original = original;
        }
    }

    private void read(AskedRequest request, PacketReceived event, long psn, long position) {
        findings.checked(Check.PEER_RESPONSE);
        byte[] payload = PacketFields.payload(event);
        int packet = (int) (psn - request.firstPsn);
        boolean endsIt =
                event.opcodeName().endsWith("LAST") || event.opcodeName().endsWith("ONLY");
        if (request.isAnsweredEmpty() && payload.length == 0 && endsIt) {
            return;
        }
        if (!request.isRead() || payload.length != request.bytesOf(packet) || endsIt != (psn == request.lastPsn())) {
            violated(
                    Check.PEER_RESPONSE,
                    position,
                    "answers packet %d of %d of %s with %s of %d bytes",
                    packet,
                    request.packets,
                    request,
                    event.opcodeName(),
                    payload.length);
            return;
        }
        request.isAmbiguous |= request.returned[packet] != null && !Arrays.equals(request.returned[packet], payload);
        request.returned[packet] = payload;
    }

    /** Whether the packet was surely executed. */
    boolean isDone(AskedRequest request, int packet) {
        return request.firstPsn + packet <= acknowledged;
    }

    /** Whether it was surely not executed. */
    boolean isUndone(AskedRequest request, int packet) {
        long psn = request.firstPsn + packet;
        if (psn > sentUpTo || psn == refusedPsn) {
            return true;
        }
        // A READ may be refused after what is behind it was done.
        AskedRequest refused = refusedPsn < 0 ? null : find(refusedPsn);
        return refused != null && !refused.isRead() && psn > refusedPsn;
    }

    /** Whether the peer said that all of it was done. */
    boolean isAnswered(AskedRequest request) {
        if (request.isRead() && request.lengthBytes > 0) {
            return Arrays.stream(request.returned).allMatch(bytes -> bytes != null);
        }
        return request.isAtomic() ? request.original != null : request.lastPsn() <= acknowledged;
    }

    private long extend(int psn) {
        if (nextPsn < 0) {
            return PSN_COUNT + psn;
        }
        long distance = (psn - nextPsn) & PSN_MASK;
        return nextPsn + (distance >= PSN_COUNT / 2 ? distance - PSN_COUNT : distance);
    }

    private @Nullable AskedRequest find(long psn) {
        for (int i = requests.size() - 1; i >= 0; i--) {
            AskedRequest request = requests.get(i);
            if (psn >= request.firstPsn && psn <= request.lastPsn()) {
                return request;
            }
        }
        return null;
    }

    private void violated(Check check, long position, String format, Object... values) {
        findings.violated(check, "the peer of " + name + " " + Text.of(format, values), position);
    }

    /** What the peer said it did by its keys; those that it has not, or whose range is another, must have been refused. */
    void checkKeys(PeerKeys keys) {
        for (AskedRequest request : requests) {
            if (request.needsKey() && isAnswered(request)) {
                checkKey(keys, request);
            }
        }
    }

    private void checkKey(PeerKeys keys, AskedRequest request) {
        int key = request.posted.remoteKey();
        if (!keys.isReported()) {
            findings.notJudged(Gap.PEER_UNSEEN);
            return;
        }
        findings.checked(Check.PEER_KEY);
        if (!keys.covers(key, request.posted.remoteAddress(), request.lengthBytes)) {
            violated(
                    Check.PEER_KEY,
                    request.startedAt,
                    "did %s, but %s never covered 0x%x and %d bytes",
                    request,
                    Text.key(key),
                    request.posted.remoteAddress(),
                    request.lengthBytes);
        }
        findings.checked(Check.PEER_INVALIDATED);
        for (AskedRequest before : requests.subList(0, request.number)) {
            if (before.isSend() && before.posted.invalidateKey() == key && isAnswered(before) && keys.lives(key) == 1) {
                violated(
                        Check.PEER_INVALIDATED,
                        request.startedAt,
                        "did %s by %s, which %s had invalidated",
                        request,
                        Text.key(key),
                        before);
                return;
            }
        }
    }
}
