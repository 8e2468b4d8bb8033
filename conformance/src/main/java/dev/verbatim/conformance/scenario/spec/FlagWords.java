// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcFlags;
import java.util.LinkedHashMap;
import java.util.Map;

/** The words for bits. A bit that is added to the device needs a row here, which a test checks. */
public final class FlagWords {

    /** Rights of regions and queue pairs. */
    public static final Form<Integer> ACCESS = Forms.bits(
            "an access flag",
            words(
                    "LOCAL_WRITE",
                    AccessFlags.LOCAL_WRITE,
                    "REMOTE_WRITE",
                    AccessFlags.REMOTE_WRITE,
                    "REMOTE_READ",
                    AccessFlags.REMOTE_READ,
                    "REMOTE_ATOMIC",
                    AccessFlags.REMOTE_ATOMIC,
                    "MW_BIND",
                    AccessFlags.MW_BIND,
                    "ZERO_BASED",
                    AccessFlags.ZERO_BASED,
                    "ON_DEMAND",
                    AccessFlags.ON_DEMAND,
                    "HUGETLB",
                    AccessFlags.HUGETLB,
                    "FLUSH_GLOBAL",
                    AccessFlags.FLUSH_GLOBAL,
                    "FLUSH_PERSISTENT",
                    AccessFlags.FLUSH_PERSISTENT,
                    "RELAXED_ORDERING",
                    AccessFlags.RELAXED_ORDERING,
                    "UNORDERED",
                    AccessFlags.UNORDERED));

    /** Flags of completions. */
    public static final Form<Integer> COMPLETION = Forms.bits(
            "a completion flag",
            words(
                    "GRH",
                    WcFlags.GRH,
                    "WITH_IMM",
                    WcFlags.WITH_IMM,
                    "IP_CSUM_OK",
                    WcFlags.IP_CSUM_OK,
                    "WITH_INV",
                    WcFlags.WITH_INV));

    /** Stands for the absence of SIGNALED, which is there otherwise. */
    private static final int UNSIGNALED = 1 << 30;

    private static final Form<Integer> SEND_WORDS = Forms.bits(
            "a send flag",
            words(
                    "FENCE",
                    SendFlags.FENCE,
                    "SOLICITED",
                    SendFlags.SOLICITED,
                    "INLINE",
                    SendFlags.INLINE,
                    "IP_CSUM",
                    SendFlags.IP_CSUM,
                    "UNSIGNALED",
                    UNSIGNALED,
                    "SIGNALED",
                    SendFlags.SIGNALED));

    /** Flags of send work requests: SIGNALED unless UNSIGNALED is said. */
    public static final Form<Integer> SEND = Forms.converted(
            SEND_WORDS,
            bits -> {
                if ((bits & (UNSIGNALED | SendFlags.SIGNALED)) == (UNSIGNALED | SendFlags.SIGNALED)) {
                    throw new IllegalArgumentException("SIGNALED and UNSIGNALED exclude each other; keep one");
                }
                return (bits & UNSIGNALED) != 0 ? bits & ~UNSIGNALED : bits | SendFlags.SIGNALED;
            },
            flags -> (flags & SendFlags.SIGNALED) != 0 ? flags & ~SendFlags.SIGNALED : flags | UNSIGNALED);

    private FlagWords() {}

    private static Map<String, Integer> words(Object... pairs) {
        Map<String, Integer> words = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            words.put((String) pairs[i], (Integer) pairs[i + 1]);
        }
        return words;
    }
}
