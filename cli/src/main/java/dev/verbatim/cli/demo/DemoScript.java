// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;

/** The steps of the demo, as data, for all commands that run it. */
public final class DemoScript {

    /** What happens before the first step. */
    static final String CONNECTING = "CONNECT: left connects to right; both take new queue pairs from RESET to RTS";

    /** Bytes of each side's region. */
    static final int REGION_BYTES = 8192;

    /** Where left's messages lie before they leave. */
    static final int OUTBOX = 0;

    /** Where what arrives is placed, at either side. */
    static final int INBOX = 512;

    /** Longest message that right's receive takes. */
    static final int RECEIVE_BYTES = 64;

    /** Where right's window begins. */
    static final int WINDOW = 1024;

    /** Where right keeps the text that left reads. */
    static final int LIBRARY = 2048;

    /** Where left's atomics leave what the word was. */
    static final int RESULT = 8176;

    /** Right's word, which left's atomics change. */
    static final int WORD = 8184;

    /** What right's word is at the beginning. */
    static final long FIRST_WORD = 1000;

    /** More than one packet of path MTU 4096. */
    static final String LIBRARY_TEXT = "This text is in right's memory; left reads it without right's CPU. "
            .repeat(75)
            .substring(0, 5000);

    private static final long SECOND_WORD = 2000;
    private static final long ADDEND = 42;
    private static final int WORD_BYTES = 8;
    private static final int WINDOW_BYTES = 64;
    private static final int WINDOW_VARIANT = 0x41;
    private static final String SENT = "Hello, right. Here is left.";
    private static final String WRITTEN = "Left wrote this without a receive at right.";
    private static final String OFFERED = "Written by left through window";
    private static final String DONE = "Thank you, right.";
    private static final String REFUSED = "These bytes must not reach memory.";

    private DemoScript() {}

    /** The steps in their order. */
    public static List<DemoStep> steps() {
        return List.of(
                send(1),
                write(2),
                read(3),
                compareAndSwap(4),
                fetchAndAdd(5),
                writeWithWrongKey(6),
                beginAnew(7),
                bind(8),
                tellKey(9),
                writeThroughWindow(10),
                giveBack(11),
                writeWithStaleKey(12));
    }

    /** Fills right's memory before the first step. */
    static void setTheScene(DemoEndpoint right) {
        right.put(LIBRARY, LIBRARY_TEXT);
        right.bytes().putLong(WORD, FIRST_WORD);
    }

    private static DemoStep send(int number) {
        return new DemoStep(
                number,
                Diagram.LEFT,
                "SEND: left's message is placed in the receive buffer that right has posted",
                SENT,
                (id, left, right) -> SendWorkRequest.send(id, left.region().sge(OUTBOX, SENT.length())),
                true,
                WcStatus.SUCCESS,
                null,
                List.of(ExpectedMemory.text(Diagram.RIGHT, INBOX, SENT)));
    }

    private static DemoStep write(int number) {
        return oneSided(
                number,
                "RDMA WRITE: left writes to right's memory; right's program is not involved",
                WRITTEN,
                (id, left, right) -> SendWorkRequest.write(
                        id, right.address() + INBOX, right.rkey(), left.region().sge(OUTBOX, WRITTEN.length())),
                ExpectedMemory.text(Diagram.RIGHT, INBOX, WRITTEN));
    }

    private static DemoStep read(int number) {
        return oneSided(
                number,
                "RDMA READ: left reads 5000 bytes of right's memory; they arrive in two packets",
                "",
                (id, left, right) -> SendWorkRequest.read(
                        id,
                        right.address() + LIBRARY,
                        right.rkey(),
                        left.region().sge(INBOX, LIBRARY_TEXT.length())),
                ExpectedMemory.text(Diagram.LEFT, INBOX, LIBRARY_TEXT));
    }

    private static DemoStep compareAndSwap(int number) {
        return oneSided(
                number,
                "COMPARE AND SWAP: sets right's word to 2000 if it is 1000; returns the old value",
                "",
                (id, left, right) -> SendWorkRequest.compareAndSwap(
                        id,
                        right.address() + WORD,
                        right.rkey(),
                        FIRST_WORD,
                        SECOND_WORD,
                        left.region().sge(RESULT, WORD_BYTES)),
                ExpectedMemory.word(Diagram.LEFT, RESULT, FIRST_WORD),
                ExpectedMemory.word(Diagram.RIGHT, WORD, SECOND_WORD));
    }

    private static DemoStep fetchAndAdd(int number) {
        return oneSided(
                number,
                "FETCH AND ADD: adds 42 to right's word; returns the old value",
                "",
                (id, left, right) -> SendWorkRequest.fetchAndAdd(
                        id,
                        right.address() + WORD,
                        right.rkey(),
                        ADDEND,
                        left.region().sge(RESULT, WORD_BYTES)),
                ExpectedMemory.word(Diagram.LEFT, RESULT, SECOND_WORD),
                ExpectedMemory.word(Diagram.RIGHT, WORD, SECOND_WORD + ADDEND));
    }

    private static DemoStep writeWithWrongKey(int number) {
        return new DemoStep(
                number,
                Diagram.LEFT,
                "RDMA WRITE with a wrong key: right refuses it; both queue pairs enter ERR",
                REFUSED,
                (id, left, right) -> SendWorkRequest.write(
                        id,
                        right.address() + INBOX,
                        right.rkey() + 1,
                        left.region().sge(OUTBOX, REFUSED.length())),
                false,
                WcStatus.REM_ACCESS_ERR,
                EventType.QP_ACCESS_ERR,
                List.of(ExpectedMemory.text(Diagram.RIGHT, INBOX, WRITTEN)));
    }

    private static DemoStep beginAnew(int number) {
        return new DemoStep(
                number,
                Diagram.LEFT,
                "CONNECT again: after the error, a new connection with new queue pairs",
                "",
                null,
                false,
                WcStatus.SUCCESS,
                null,
                List.of());
    }

    private static DemoStep bind(int number) {
        return new DemoStep(
                number,
                Diagram.RIGHT,
                "BIND_MW: right grants access to 64 bytes through a memory window; no packet is sent",
                "",
                (id, right, left) -> right.open(id, WINDOW, WINDOW_BYTES, WINDOW_VARIANT),
                false,
                WcStatus.SUCCESS,
                null,
                List.of());
    }

    private static DemoStep tellKey(int number) {
        return new DemoStep(
                number,
                Diagram.RIGHT,
                "SEND: right sends the address and the rkey of the window",
                "",
                (id, right, left) -> right.tellOffer(id, OUTBOX),
                true,
                WcStatus.SUCCESS,
                null,
                List.of(ExpectedMemory.form(
                        Diagram.LEFT, INBOX, WindowAdvertisement.TEXT_BYTES, WindowAdvertisement.FORM)));
    }

    private static DemoStep writeThroughWindow(int number) {
        return oneSided(
                number,
                "RDMA WRITE: left writes through the window, with the rkey from the message",
                OFFERED,
                (id, left, right) -> writeAsOffered(id, left, OFFERED),
                ExpectedMemory.text(Diagram.RIGHT, WINDOW, OFFERED));
    }

    private static DemoStep giveBack(int number) {
        return new DemoStep(
                number,
                Diagram.LEFT,
                "SEND_WITH_INV: left's message invalidates the rkey at right",
                DONE,
                (id, left, right) -> SendWorkRequest.sendWithInvalidate(
                        id,
                        WindowAdvertisement.in(left.bytes(), INBOX).rkey(),
                        left.region().sge(OUTBOX, DONE.length())),
                true,
                WcStatus.SUCCESS,
                null,
                List.of(ExpectedMemory.text(Diagram.RIGHT, INBOX, DONE)));
    }

    private static DemoStep writeWithStaleKey(int number) {
        return new DemoStep(
                number,
                Diagram.LEFT,
                "RDMA WRITE with the invalidated rkey: right refuses it, and names the former binding",
                REFUSED,
                (id, left, right) -> writeAsOffered(id, left, REFUSED),
                false,
                WcStatus.REM_ACCESS_ERR,
                EventType.QP_ACCESS_ERR,
                List.of(ExpectedMemory.text(Diagram.RIGHT, WINDOW, OFFERED)));
    }

    private static SendWorkRequest writeAsOffered(long id, DemoEndpoint left, String text) {
        WindowAdvertisement advertisement = WindowAdvertisement.in(left.bytes(), INBOX);
        return SendWorkRequest.write(
                id, advertisement.address(), advertisement.rkey(), left.region().sge(OUTBOX, text.length()));
    }

    private static DemoStep oneSided(
            int number, String title, String message, DemoStep.Work work, ExpectedMemory... expectedMemory) {
        return new DemoStep(
                number, Diagram.LEFT, title, message, work, false, WcStatus.SUCCESS, null, List.of(expectedMemory));
    }
}
