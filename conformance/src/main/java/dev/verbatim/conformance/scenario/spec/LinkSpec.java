// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.PathMtu;
import java.util.function.Function;

/**
 * How the queue pairs of a connection talk; the same at both ends.
 *
 * @param pathMtu bytes in a packet
 * @param access what each grants the other
 * @param maxRdAtomic READs and atomics that each may have under way
 * @param maxDestRdAtomic how many of them each answers at a time
 * @param timeout code of the ACK timer
 * @param retryCount retries after timeouts
 * @param rnrRetry retries after RNR NAKs
 * @param minRnrTimer code of the RNR timer
 */
public record LinkSpec(
        PathMtu pathMtu,
        int access,
        int maxRdAtomic,
        int maxDestRdAtomic,
        int timeout,
        int retryCount,
        int rnrRetry,
        int minRnrTimer) {

    /** What a connection is where nothing is said. */
    public static final LinkSpec USUAL = new LinkSpec(
            PathMtu.MTU_1024,
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC,
            16,
            16,
            14,
            7,
            7,
            12);

    /** Payload bytes of a packet. */
    public static final Form<PathMtu> MTU = Forms.converted(Forms.integer(256, 4096), PathMtu::ofBytes, PathMtu::bytes);

    private static final int MOST_DEPTH = 255;
    private static final int LAST_CODE = 31;
    private static final int MOST_RETRIES = 7;

    /** The keys in a mapping that has more of them. */
    record Keys<R>(
            Key<R, PathMtu> pathMtu,
            Key<R, Integer> access,
            Key<R, Integer> maxRdAtomic,
            Key<R, Integer> maxDestRdAtomic,
            Key<R, Integer> timeout,
            Key<R, Integer> retryCount,
            Key<R, Integer> rnrRetry,
            Key<R, Integer> minRnrTimer) {

        LinkSpec read(Values values) {
            return new LinkSpec(
                    values.get(pathMtu),
                    values.get(access),
                    values.get(maxRdAtomic),
                    values.get(maxDestRdAtomic),
                    values.get(timeout),
                    values.get(retryCount),
                    values.get(rnrRetry),
                    values.get(minRnrTimer));
        }
    }

    static <R> Keys<R> keys(Mapping<R> mapping, Function<R, LinkSpec> link) {
        return new Keys<>(
                mapping.optional(
                        "path_mtu", MTU, USUAL.pathMtu, r -> link.apply(r).pathMtu, "Payload bytes of a full packet."),
                mapping.optional(
                        "access",
                        FlagWords.ACCESS,
                        USUAL.access,
                        r -> link.apply(r).access,
                        "What each queue pair grants the other."),
                mapping.optional(
                        "max_rd_atomic",
                        Forms.integer(0, MOST_DEPTH),
                        USUAL.maxRdAtomic,
                        r -> link.apply(r).maxRdAtomic,
                        "READs and atomics that each may have under way."),
                mapping.optional(
                        "max_dest_rd_atomic",
                        Forms.integer(0, MOST_DEPTH),
                        USUAL.maxDestRdAtomic,
                        r -> link.apply(r).maxDestRdAtomic,
                        "READs and atomics that each answers at a time."),
                mapping.optional(
                        "timeout",
                        Forms.integer(0, LAST_CODE),
                        USUAL.timeout,
                        r -> link.apply(r).timeout,
                        "Code of the ACK timer: 4.096 us * 2^code, 0 waits for ever."),
                mapping.optional(
                        "retry_count",
                        Forms.integer(0, MOST_RETRIES),
                        USUAL.retryCount,
                        r -> link.apply(r).retryCount,
                        "Retries after timeouts."),
                mapping.optional(
                        "rnr_retry",
                        Forms.integer(0, MOST_RETRIES),
                        USUAL.rnrRetry,
                        r -> link.apply(r).rnrRetry,
                        "Retries after RNR NAKs; 7 retries for ever."),
                mapping.optional(
                        "min_rnr_timer",
                        Forms.integer(0, LAST_CODE),
                        USUAL.minRnrTimer,
                        r -> link.apply(r).minRnrTimer,
                        "Code of the RNR timer."));
    }
}
