// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.Rule;

/** The mistakes that a {@link Sanitizer} finds, with the rule behind each and what to do instead. */
public enum Mistake {
    S1(
            true,
            "source changed before the completion",
            Rule.ORD_35,
            "leave the source alone until the completion of its request was polled, or post it with INLINE"),
    S2(
            true,
            "destination touched before the completion",
            Rule.ORD_34,
            "leave the destination alone until the completion was polled"),
    S3(
            true,
            "two outstanding requests for the same local bytes",
            Rule.ORD_34,
            "give each outstanding request bytes of its own; post what sends the result of a READ or atomic of its queue pair with FENCE;"
                    + " declare a buffer whose bytes are not used with Sanitizer.scratch"),
    S4(
            true,
            "accesses that nothing orders",
            Rule.ORD_21,
            "order them: poll the completion of the first before the second is made, and tell the other side if it makes it"),
    S5(true, "torn record", Rule.ORD_31, "load a record only after a completion that covers it"),
    S6(
            true,
            "flag looked at instead of a completion",
            Rule.ORD_31,
            "wait for the completion of a later SEND or WRITE_WITH_IMM of the same queue pair, or set the flag by ATOMIC_WRITE or an atomic"),
    S7(
            false,
            "status or failure never looked at",
            Rule.WC_01,
            "look at the status of each completion, and read asynchronous events"),
    S8(
            true,
            "closed while an outstanding request names it",
            Rule.MR_53,
            "poll the completions of all requests that name it, then close it"),
    S9(true, "lost wake-up", Rule.NT_01, "poll once more between requestNotify and getEvent"),
    S10(false, "local key used as a remote key", Rule.MR_14, "send peers the rkey of the region, not its lkey"),
    S11(false, "receive missing", Rule.RT_04, "post receives before the peer sends"),
    S12(
            false,
            "completion queue smaller than what can complete",
            Rule.CQ_03,
            "make it as large as the sum of what can be outstanding, or poll before posting more"),
    S13(
            false,
            "atomic on a buffer of the other byte order",
            Rule.WR_36,
            "use a buffer in native byte order: Memory.buffer(), or order(ByteOrder.nativeOrder())"),
    S14(
            true,
            "atomics and other accesses to one word",
            Rule.ORD_37,
            "access the word by atomics of its device only, or only after a completion that covers them"),
    S15(false, "object left open", Rule.PD_07, "close it before its device"),
    S16(
            false,
            "ambiguous or unused request",
            Rule.WR_12,
            "give outstanding requests different wr_id, and read what was asked for"),
    S17(
            true,
            "order assumed across queue pairs",
            Rule.ORD_21,
            "send data and flag over one queue pair, or poll the data's completion before the flag is posted"),
    S18(false, "receive posted after the peer may send", Rule.RT_04, "post receives in INIT, before the peer can send"),
    S19(
            false,
            "key used that is not valid",
            Rule.KEY_P2,
            "tell peers of a revocation before it happens, and wait for their answer"),
    S20(
            true,
            "result waited for by loads",
            Rule.ORD_34,
            "poll the completion of the request, and look at its result only then"),
    S21(
            false,
            "queue pair closed before its requests are over",
            Rule.QP_06,
            "poll the completions of its last requests, or take it to ERR and poll what is flushed, and then close it"),
    S22(
            true,
            "memory given back while it is registered",
            Rule.MR_54,
            "deregister its region first, and then free or unmap the memory"),
    S23(
            true,
            "memory of a GPU looked at before it is visible there",
            Rule.VIS_08,
            "READ from that memory by the adapter that wrote, poll its completion, and launch the kernel or flush for it behind that"),
    S24(
            true,
            "flush that does not reach what it is for",
            Rule.VIS_05,
            "READ from the memory that was written, on each adapter that wrote to it, and poll all of their completions"),
    S25(
            true,
            "bytes sent on that have not arrived",
            Rule.VIS_06,
            "send them by the adapter that received them, or READ from that memory by it first"),
    S26(
            true,
            "store looked at by others before it was released",
            Rule.VIS_10,
            "end it with a fence of scope SYSTEM, or wait for the end of the kernel, before others are told of it"),
    S27(
            true,
            "flag trusted for a region with relaxed ordering",
            Rule.VIS_03,
            "register data and flag without RELAXED_ORDERING, or wait for a completion of their queue pair instead"),
    S28(
            true,
            "same bytes of a relaxed region accessed twice at once",
            Rule.MR_71,
            "register it without RELAXED_ORDERING, or have the first arrive, by a completion at the receiver, before the second is posted"),
    S29(
            true,
            "visible taken for durable",
            Rule.VIS_16,
            "FLUSH to persistence before the mark or the message that tells of it, or have the CPU of the target write it back"),
    S30(
            true,
            "host memory looked at by a GPU without an acquire",
            Rule.VIS_09,
            "load the flag by an acquire of system scope");

    private final boolean isError;
    private final String title;
    private final Rule rule;
    private final String remedy;

    Mistake(boolean isError, String title, Rule rule, String remedy) {
        this.isError = isError;
        this.title = title;
        this.rule = rule;
        this.remedy = remedy;
    }

    /** Whether it fails a test by default; otherwise it is a note. */
    public boolean isError() {
        return isError;
    }

    /** What it is, in some words. */
    public String title() {
        return title;
    }

    /** The rule of the catalogue that makes it a mistake. */
    public Rule rule() {
        return rule;
    }

    /** What to do instead, as one sentence without its stop. */
    public String remedy() {
        return remedy;
    }
}
