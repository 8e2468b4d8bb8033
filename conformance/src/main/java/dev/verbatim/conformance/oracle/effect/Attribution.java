// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.memory.PendingPlacement;
import dev.verbatim.conformance.oracle.queue.ArrivedDatagrams;
import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.verbs.Sge;
import org.jspecify.annotations.Nullable;

/** Finds out which request a access is of, and whether it is where that request has it. */
final class Attribution {

    private final Findings findings;

    Attribution(Findings findings) {
        this.findings = findings;
    }

    /** The request of the queue pair itself; null if none is known. */
    @Nullable
    Request own(MemoryAccess access) {
        if (!access.queuePair().isKnown()) {
            findings.notJudged(Gap.QUEUE_PAIR_OLDER_THAN_TRACE);
            return null;
        }
        return find(access, access.queuePair().send());
    }

    /** The request of the peer; null if none is known, or what happens to it cannot be. */
    @Nullable
    Request asked(MemoryAccess access) {
        SendQueueModel asked = access.queuePair().asked();
        if (asked == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
            return null;
        }
        ArrivedDatagrams.Arrival datagram =
                access.queuePair().receive().datagrams().newest();
        Request request = datagram == null ? find(access, asked) : datagram.request();
        if (request != null && !request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
            return null;
        }
        return request;
    }

    private @Nullable Request find(MemoryAccess access, SendQueueModel queue) {
        Request request = queue.find(access.psn());
        if (request == null && queue.isAhead(access.psn())) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of(
                            "%s touches memory (%s) for psn=%d, which no request has",
                            access.queuePair(), access.effect(), access.psn()),
                    access.position());
        } else if (request == null) {
            findings.notJudged(Gap.FORGOTTEN);
        }
        return request;
    }

    /** Whether the request is one that has such an effect. */
    boolean isOf(Request.Kind kind, MemoryAccess access, Request request) {
        if (request.kind == kind) {
            return true;
        }
        findings.violated(
                Check.EXECUTION_ORDER,
                Text.of("%s touches memory (%s) for %s", access.queuePair(), access.effect(), request),
                request.startedAt,
                access.position());
        return false;
    }

    /** Which packet of the request it is for. */
    static int packet(SendQueueModel queue, Request request, int psn) {
        return (int) (queue.extend(psn) - request.firstPsn);
    }

    /** The bytes are those of the peer from that offset of the request on, as its key counts them. */
    void checkRemote(MemoryAccess access, Request request, long offset) {
        KeyLife life = access.life();
        checkElement(
                access,
                request,
                new Sge(request.posted.remoteAddress() + offset, access.lengthBytes(), request.posted.remoteKey()),
                life != null && life.window != null ? Check.WINDOW_RANGE : Check.ADDRESS);
    }

    /** The bytes are the first of the element, if there is one. */
    void checkElement(MemoryAccess access, Request request, @Nullable Sge element, Check check) {
        findings.checked(check);
        int key = access.event().key();
        long address = access.event().address();
        KeyLife life = access.life();
        if (element == null
                || element.lkey() != key
                || Integer.compareUnsigned(access.lengthBytes(), element.lengthBytes()) > 0
                || (life != null && !life.agrees(element.address(), address, access.lengthBytes()))) {
            findings.violated(
                    check,
                    Text.of(
                            "%s touches %d bytes at 0x%x by %s for %s, which has %s there",
                            access.queuePair(),
                            access.lengthBytes(),
                            address,
                            Text.key(key),
                            request,
                            element == null
                                    ? "no byte"
                                    : Text.of("0x%x of %s", element.address(), Text.key(element.lkey()))),
                    request.startedAt,
                    access.position());
        }
    }

    /** What is read ends where a word of memory does, or with what there is to be read there: {@code leftBytes} from its beginning on. */
    void checkWhole(MemoryAccess access, Request request, int leftBytes) {
        findings.checked(Check.WHOLE_WORDS);
        long end = access.event().address() + access.lengthBytes();
        if (access.lengthBytes() < leftBytes && end % Long.BYTES != 0) {
            findings.violated(
                    Check.WHOLE_WORDS,
                    Text.of(
                            "%s reads %d bytes at 0x%x (%s) for %s, of %d there: a word is torn",
                            access.queuePair(),
                            access.lengthBytes(),
                            access.event().address(),
                            access.effect(),
                            request,
                            leftBytes),
                    request.startedAt,
                    access.position());
        }
    }

    /** The bytes stand there from now on: for programs too, or for the device alone. */
    void write(MemoryAccess access, @Nullable Request request, boolean returned) {
        if (access.event().held()) {
            access.memory()
                    .hold(new PendingPlacement(
                            access.queuePair().life(),
                            request,
                            returned,
                            access.psn(),
                            access.life(),
                            access.event().address(),
                            access.data(),
                            access.position()));
        } else {
            access.memory()
                    .deviceWrote(
                            access.event().address(),
                            access.data(),
                            "the effect of",
                            access.queuePair(),
                            access.position());
        }
    }

    void note(WeakBehaviour behaviour, MemoryAccess access, Request request) {
        findings.seen(behaviour);
        if (findings.wantsExample(behaviour)) {
            findings.example(behaviour, Text.of("#%d: %s at %s", access.position(), request, access.queuePair()));
        }
    }
}
