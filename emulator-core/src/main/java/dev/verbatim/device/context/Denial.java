// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Syndrome;

/**
 * A refused access or request.
 *
 * @param syndrome the NAK that a responder answers it with
 * @param refusal why
 */
public record Denial(int syndrome, Refusal refusal) implements Decision {

    /** Refused as a request that should not have been made. */
    public static Denial invalidRequest(Rule rule, String format, Object... values) {
        return new Denial(Syndrome.NAK_INVALID_REQUEST, Refusal.of(rule, format, values));
    }

    /** Refused for a key: unknown, of another domain, without the right, or out of range. */
    public static Denial remoteAccess(Rule rule, String format, Object... values) {
        return new Denial(Syndrome.NAK_REMOTE_ACCESS, Refusal.of(rule, format, values));
    }

    /** Failed for a reason of the responder's own. */
    public static Denial remoteOperational(Refusal refusal) {
        return new Denial(Syndrome.NAK_REMOTE_OPERATIONAL, refusal);
    }
}
