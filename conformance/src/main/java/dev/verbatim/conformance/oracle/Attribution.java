// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.Sge;
import org.jspecify.annotations.Nullable;

/** Finds out which request a touch is of, and whether it is where that request has it. */
final class Attribution {

    private final Findings findings;

    Attribution(Findings findings) {
        this.findings = findings;
    }

    /** The request of the queue pair itself; null if none is known. */
    @Nullable
    Request own(Touch touch) {
        if (!touch.queuePair().isKnown()) {
            findings.notJudged(Gap.QUEUE_PAIR_OLDER_THAN_TRACE);
            return null;
        }
        return find(touch, touch.queuePair().send());
    }

    /** The request of the peer; null if none is known, or what happens to it cannot be. */
    @Nullable
    Request asked(Touch touch) {
        SendQueueModel asked = touch.queuePair().asked();
        if (asked == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
            return null;
        }
        Datagrams.Arrival datagram = touch.queuePair().receive().datagrams().newest();
        Request request = datagram == null ? find(touch, asked) : datagram.request();
        if (request != null && !request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
            return null;
        }
        return request;
    }

    private @Nullable Request find(Touch touch, SendQueueModel queue) {
        Request request = queue.find(touch.psn());
        if (request == null && queue.isAhead(touch.psn())) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of(
                            "%s touches memory (%s) for psn=%d, which no request has",
                            touch.queuePair(), touch.effect(), touch.psn()),
                    touch.position());
        } else if (request == null) {
            findings.notJudged(Gap.FORGOTTEN);
        }
        return request;
    }

    /** Whether the request is one that has such an effect. */
    boolean isOf(Request.Kind kind, Touch touch, Request request) {
        if (request.kind == kind) {
            return true;
        }
        findings.violated(
                Check.EXECUTION_ORDER,
                Text.of("%s touches memory (%s) for %s", touch.queuePair(), touch.effect(), request),
                request.startedAt,
                touch.position());
        return false;
    }

    /** Which packet of the request it is for. */
    static int packet(SendQueueModel queue, Request request, int psn) {
        return (int) (queue.extend(psn) - request.firstPsn);
    }

    /** The bytes are those of the peer from that offset of the request on, as its key counts them. */
    void checkRemote(Touch touch, Request request, long offset) {
        KeyLife life = touch.life();
        checkElement(
                touch,
                request,
                new Sge(request.posted.remoteAddress() + offset, touch.lengthBytes(), request.posted.remoteKey()),
                life != null && life.window != null ? Check.WINDOW_RANGE : Check.ADDRESS);
    }

    /** The bytes are the first of the element, if there is one. */
    void checkElement(Touch touch, Request request, @Nullable Sge element, Check check) {
        findings.checked(check);
        int key = touch.event().key();
        long address = touch.event().address();
        KeyLife life = touch.life();
        if (element == null
                || element.lkey() != key
                || Integer.compareUnsigned(touch.lengthBytes(), element.lengthBytes()) > 0
                || (life != null && !life.agrees(element.address(), address, touch.lengthBytes()))) {
            findings.violated(
                    check,
                    Text.of(
                            "%s touches %d bytes at 0x%x by %s for %s, which has %s there",
                            touch.queuePair(),
                            touch.lengthBytes(),
                            address,
                            Text.key(key),
                            request,
                            element == null
                                    ? "no byte"
                                    : Text.of("0x%x of %s", element.address(), Text.key(element.lkey()))),
                    request.startedAt,
                    touch.position());
        }
    }

    /** What is read ends where a word of memory does, or with what there is to be read there: {@code leftBytes} from its beginning on. */
    void checkWhole(Touch touch, Request request, int leftBytes) {
        findings.checked(Check.WHOLE_WORDS);
        long end = touch.event().address() + touch.lengthBytes();
        if (touch.lengthBytes() < leftBytes && end % Long.BYTES != 0) {
            findings.violated(
                    Check.WHOLE_WORDS,
                    Text.of(
                            "%s reads %d bytes at 0x%x (%s) for %s, of %d there: a word is torn",
                            touch.queuePair(),
                            touch.lengthBytes(),
                            touch.event().address(),
                            touch.effect(),
                            request,
                            leftBytes),
                    request.startedAt,
                    touch.position());
        }
    }

    /** The bytes stand there from now on: for programs too, or for the device alone. */
    void write(Touch touch, @Nullable Request request, boolean returned) {
        if (touch.event().held()) {
            touch.memory()
                    .hold(new Piece(
                            touch.queuePair().life(),
                            request,
                            returned,
                            touch.psn(),
                            touch.life(),
                            touch.event().address(),
                            touch.data(),
                            touch.position()));
        } else {
            touch.memory()
                    .deviceWrote(
                            touch.event().address(),
                            touch.data(),
                            "the effect of",
                            touch.queuePair(),
                            touch.position());
        }
    }

    void note(WeakBehaviour behaviour, Touch touch, Request request) {
        findings.seen(behaviour);
        if (findings.wantsExample(behaviour)) {
            findings.example(behaviour, Text.of("#%d: %s at %s", touch.position(), request, touch.queuePair()));
        }
    }
}
