// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What posting refuses of any request: one that is missing, or has missing elements or too many (WR-10, WR-11). */
public final class ElementChecks {

    private ElementChecks() {}

    /** A chain, or what it consists of, is there (WR-10). */
    public static void requireThere(@Nullable Object posted, String what, int index) {
        if (posted == null) {
            throw VerbsException.ofRequest(
                    Errno.EINVAL,
                    Refusal.of(Rule.WR_10, "%s is null; requests, binds and elements must not be null", what),
                    index);
        }
    }

    /** Requires that the elements of a request are there; returns how many bytes they have together. */
    public static long requireElements(SendWorkRequest request, int index) {
        long lengthBytes = 0;
        int count = request.elementCount();
        for (int i = 0; i < count; i++) {
            requireElement(request.hasElement(i), index);
            lengthBytes += Integer.toUnsignedLong(request.elementLengthBytes(i));
        }
        return lengthBytes;
    }

    public static void requireElements(ReceiveWorkRequest request, int index) {
        for (int i = 0; i < request.elementCount(); i++) {
            requireElement(request.hasElement(i), index);
        }
    }

    private static void requireElement(boolean there, int index) {
        if (!there) {
            requireThere(null, "an element of the request", index);
        }
    }

    /**
     * At most so many elements (WR-11).
     *
     * @param name of the limit
     */
    public static void checkCount(int count, int most, String name, int index) {
        if (count > most) {
            throw VerbsException.ofRequest(
                    Errno.EINVAL, Refusal.of(Rule.WR_11, "num_sge=%d > %s=%d", count, name, most), index);
        }
    }
}
