// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

/** Sentences of the device in the words of a C program. */
final class WordsOfC {

    private WordsOfC() {}

    /** The same with the functions and flags of C in the place of Java's. */
    static String of(String text) {
        return text.replaceAll("requestNotify(\\((true|false)\\))?", "ibv_req_notify_cq")
                .replace("getEvent", "ibv_get_cq_event")
                .replaceAll("(?<![A-Z_])INLINE", "IBV_SEND_INLINE")
                .replaceAll("(?<![A-Z_])SIGNALED", "IBV_SEND_SIGNALED")
                .replaceAll("(?<![A-Z_])SOLICITED", "IBV_SEND_SOLICITED");
    }
}
