// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** What is asked of the arguments with which an address is resolved (CM-27, CM-28). */
final class Addresses {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Addresses() {}

    /** How long something may take. */
    static long nanos(Duration timeout) {
        requirePositive(timeout);
        return capped(timeout);
    }

    /** The same, also if it is 0 or less. */
    static long capped(Duration timeout) {
        return timeout.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : timeout.toNanos();
    }

    static void requirePositive(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_27, "timeout=%s is not above 0", timeout);
        }
    }

    static void requireOwn(CmContext context, InetSocketAddress source) {
        InetAddress host = source.getAddress();
        if (host == null || !context.port().isOwn(host)) {
            throw VerbsException.of(
                    Errno.EADDRNOTAVAIL,
                    Rule.CM_28,
                    "source=%s is not of device %s; use the wildcard or its gid=%s",
                    source,
                    context.port().deviceName(),
                    context.gid());
        }
    }
}
