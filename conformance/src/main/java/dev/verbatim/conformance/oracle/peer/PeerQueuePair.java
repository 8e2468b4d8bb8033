// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair of the peer, as its reports have it: what was posted to it, and what completed. */
final class PeerQueuePair {

    /** A request that was posted, and whether it succeeded. */
    private static final class Posted {
        private final SendWorkRequest request;
        private final boolean isSignaled;
        private boolean isSuccess;

        private Posted(SendWorkRequest request, boolean isSignaled) {
            this.request = request;
            this.isSignaled = isSignaled;
        }

        /** Several may have one id, of which some have no completion on success. */
        private boolean canBe(long id, boolean success) {
            return request.id() == id && (isSignaled || !success);
        }
    }

    private final String name;
    private final Findings findings;
    private final List<Posted> sends = new ArrayList<>();
    final List<ReceiveWorkRequest> receives = new ArrayList<>();
    private final List<Completed> received = new ArrayList<>();
    private int lastSend = -1;
    private int completedReceives;
    private boolean hasEnded;
    private boolean livedAgain;
    private boolean sendFailed;
    private boolean receiveFailed;

    PeerQueuePair(String name, Findings findings) {
        this.name = name;
        this.findings = findings;
    }

    void posted(SendWorkRequest request, boolean isSignaled) {
        livedAgain |= hasEnded;
        sends.add(new Posted(request, isSignaled));
    }

    void posted(ReceiveWorkRequest request) {
        livedAgain |= hasEnded;
        receives.add(request);
    }

    /** It is in RESET: its life is over, or has not begun. */
    void reset() {
        hasEnded = !sends.isEmpty() || !receives.isEmpty();
    }

    /** Whether it was used again after it had been in RESET. */
    boolean livedAgain() {
        return livedAgain;
    }

    /** Its READs and atomics, whose results the peer places itself. */
    List<SendWorkRequest> askedForResults() {
        return sends.stream()
                .map(posted -> posted.request)
                .filter(PeerQueuePair::hasResult)
                .toList();
    }

    private static boolean hasResult(SendWorkRequest request) {
        return switch (request.opcode()) {
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> true;
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE, FLUSH -> false;
            case BIND_MW, LOCAL_INV, TSO, DRIVER1 -> false;
        };
    }

    void completed(Completed event, long position) {
        findings.checked(Check.PEER_COMPLETION_ONCE);
        boolean isSuccess = event.status() == WcStatus.SUCCESS;
        findings.checked(Check.PEER_FLUSH);
        if (isSuccess && (event.opcode().isReceive() ? receiveFailed : sendFailed)) {
            violated(Check.PEER_FLUSH, position, "%s succeeds after an earlier one failed", event);
        }
        if (event.opcode().isReceive()) {
            receiveFailed |= !isSuccess;
            receive(event, position);
        } else {
            sendFailed |= !isSuccess;
            send(event, position);
        }
    }

    private void send(Completed event, long position) {
        boolean isSuccess = event.status() == WcStatus.SUCCESS;
        int number = lastSend + 1;
        while (number < sends.size() && !sends.get(number).canBe(event.workRequestId(), isSuccess)) {
            number++;
        }
        if (number == sends.size()) {
            violated(Check.PEER_COMPLETION_ONCE, position, "%s, but none of its later requests awaits it", event);
            return;
        }
        Posted posted = sends.get(number);
        lastSend = number;
        posted.isSuccess = isSuccess;
        if (!posted.isSuccess) {
            return;
        }
        findings.checked(Check.PEER_COMPLETION_FIELDS);
        boolean isLength = posted.request.opcode() != WrOpcode.RDMA_READ
                || event.byteLength() == (int) posted.request.lengthBytes();
        if (event.opcode() != opcodeOf(posted.request) || !isLength) {
            violated(Check.PEER_COMPLETION_FIELDS, position, "%s for %s", event, posted.request);
        }
    }

    private static WcOpcode opcodeOf(SendWorkRequest request) {
        return switch (request.opcode()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV -> WcOpcode.SEND;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
            case ATOMIC_WRITE -> WcOpcode.ATOMIC_WRITE;
            case RDMA_READ -> WcOpcode.RDMA_READ;
            case ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
            case ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
            case FLUSH -> WcOpcode.FLUSH;
            case BIND_MW -> WcOpcode.BIND_MW;
            case LOCAL_INV -> WcOpcode.LOCAL_INV;
            case TSO, DRIVER1 -> throw new IllegalArgumentException(request.opcode() + " cannot be posted");
        };
    }

    private void receive(Completed event, long position) {
        if (event.status() == WcStatus.SUCCESS) {
            received.add(event);
        }
        if (receives.isEmpty()) {
            return; // They are those of a shared queue, in which several queue pairs take.
        }
        if (completedReceives == receives.size()
                || receives.get(completedReceives).id() != event.workRequestId()) {
            violated(Check.PEER_COMPLETION_ONCE, position, "%s, but it is not the oldest receive", event);
            return;
        }
        completedReceives++;
    }

    /** Of a reliable connection: what completed was answered, and what was acknowledged was received. */
    void compare(PeerResponder asked, PeerRequester asking) {
        int answered = asking.answeredMessages();
        int number = 0;
        for (Posted posted : sends) {
            if (!hasPacket(posted.request)) {
                continue;
            }
            findings.checked(Check.PEER_COMPLETION);
            if (posted.isSuccess && number >= answered) {
                violated(Check.PEER_COMPLETION, -1, "%s succeeded, but was not answered", posted.request);
            }
            number++;
        }
        int messages = 0;
        int acknowledged = 0;
        for (AskedRequest request : asked.requests) {
            if (request.takesReceive()) {
                messages += asked.isUndone(request, request.packets - 1) ? 0 : 1;
                acknowledged += asked.isAnswered(request) ? 1 : 0;
                compare(request);
            }
        }
        findings.checked(Check.PEER_RECEIVES);
        if (received.size() > messages || received.size() < acknowledged) {
            violated(
                    Check.PEER_RECEIVES,
                    -1,
                    "received %d messages, where %d were sent and %d acknowledged",
                    received.size(),
                    messages,
                    acknowledged);
        }
    }

    private void compare(AskedRequest request) {
        if (request.message >= received.size()) {
            return;
        }
        findings.checked(Check.PEER_COMPLETION_FIELDS);
        Completed event = received.get(request.message);
        WcOpcode opcode = request.isSend() ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM;
        if (event.opcode() != opcode || event.byteLength() != (int) request.lengthBytes) {
            violated(Check.PEER_COMPLETION_FIELDS, -1, "%s for %s of %d bytes", event, request, request.lengthBytes);
        }
    }

    private static boolean hasPacket(SendWorkRequest request) {
        return switch (request.opcode()) {
            case BIND_MW, LOCAL_INV -> false;
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE, FLUSH -> true;
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, TSO, DRIVER1 -> true;
        };
    }

    /** The receive that a message of that number takes; null if it is not known. */
    @Nullable
    ReceiveWorkRequest receiveOf(AskedRequest request) {
        return request.message < receives.size() ? receives.get(request.message) : null;
    }

    private void violated(Check check, long position, String format, Object... values) {
        findings.violated(check, name + ": " + Text.of(format, values), position);
    }
}
