// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;

/** The steps of the dialogue, as data: every command that holds it, holds this one. */
public final class Script {

    /** Bytes of each side's region. */
    static final int REGION_BYTES = 4096;

    /** Where left's messages lie before they leave. */
    static final int OUTBOX = 0;

    /** Where what arrives is placed, at either side. */
    static final int INBOX = 512;

    /** Longest message that right's receive takes. */
    static final int RECEIVE_BYTES = 64;

    /** Where right keeps the text that left reads. */
    static final int LIBRARY = 2048;

    /** Where left's atomics leave what the word was. */
    static final int RESULT = 4080;

    /** Right's word, which left's atomics change. */
    static final int WORD = 4088;

    /** What right's word is at the beginning. */
    static final long FIRST_WORD = 1000;

    /** More than one packet of path MTU 1024. */
    static final String LIBRARY_TEXT = "This text lies in right's memory and is read without right's doing. "
            .repeat(23)
            .substring(0, 1500);

    private static final long SECOND_WORD = 2000;
    private static final long ADDEND = 42;
    private static final int WORD_BYTES = 8;
    private static final String SENT = "Hello, right. Here is left.";
    private static final String WRITTEN = "Left was here, and nobody at right noticed.";
    private static final String REFUSED = "This is never to be seen at right.";

    private Script() {}

    /** The steps in their order. */
    public static List<Step> steps() {
        return List.of(send(1), write(2), read(3), compareAndSwap(4), fetchAndAdd(5), writeWithWrongKey(6));
    }

    private static Step send(int number) {
        return new Step(
                number,
                "SEND: right has posted a receive, and left's message goes where that says",
                SENT,
                (id, mine, right) -> SendWorkRequest.send(id, mine.sge(OUTBOX, SENT.length())),
                true,
                WcStatus.SUCCESS,
                null,
                List.of(Finding.text(Diagram.RIGHT, INBOX, SENT)));
    }

    private static Step write(int number) {
        return oneSided(
                number,
                "RDMA WRITE: left places bytes in right's memory, and right's program does nothing",
                WRITTEN,
                (id, mine, right) -> SendWorkRequest.write(
                        id, right.address() + INBOX, right.rkey(), mine.sge(OUTBOX, WRITTEN.length())),
                Finding.text(Diagram.RIGHT, INBOX, WRITTEN));
    }

    private static Step read(int number) {
        return oneSided(
                number,
                "RDMA READ: left fetches 1500 bytes of right's memory, which come in two packets",
                "",
                (id, mine, right) -> SendWorkRequest.read(
                        id, right.address() + LIBRARY, right.rkey(), mine.sge(INBOX, LIBRARY_TEXT.length())),
                Finding.text(Diagram.LEFT, INBOX, LIBRARY_TEXT));
    }

    private static Step compareAndSwap(int number) {
        return oneSided(
                number,
                "COMPARE AND SWAP: right's word becomes 2000 if it is 1000; left learns what it was",
                "",
                (id, mine, right) -> SendWorkRequest.compareAndSwap(
                        id,
                        right.address() + WORD,
                        right.rkey(),
                        FIRST_WORD,
                        SECOND_WORD,
                        mine.sge(RESULT, WORD_BYTES)),
                Finding.word(Diagram.LEFT, RESULT, FIRST_WORD),
                Finding.word(Diagram.RIGHT, WORD, SECOND_WORD));
    }

    private static Step fetchAndAdd(int number) {
        return oneSided(
                number,
                "FETCH AND ADD: right's word grows by 42; left learns what it was",
                "",
                (id, mine, right) -> SendWorkRequest.fetchAndAdd(
                        id, right.address() + WORD, right.rkey(), ADDEND, mine.sge(RESULT, WORD_BYTES)),
                Finding.word(Diagram.LEFT, RESULT, SECOND_WORD),
                Finding.word(Diagram.RIGHT, WORD, SECOND_WORD + ADDEND));
    }

    private static Step writeWithWrongKey(int number) {
        return new Step(
                number,
                "RDMA WRITE with a wrong key: right refuses, no byte changes, and both queue pairs end",
                REFUSED,
                (id, mine, right) -> SendWorkRequest.write(
                        id, right.address() + INBOX, right.rkey() + 1, mine.sge(OUTBOX, REFUSED.length())),
                false,
                WcStatus.REM_ACCESS_ERR,
                EventType.QP_ACCESS_ERR,
                List.of(Finding.text(Diagram.RIGHT, INBOX, WRITTEN)));
    }

    private static Step oneSided(int number, String title, String message, Step.Work work, Finding... findings) {
        return new Step(number, title, message, work, false, WcStatus.SUCCESS, null, List.of(findings));
    }
}
