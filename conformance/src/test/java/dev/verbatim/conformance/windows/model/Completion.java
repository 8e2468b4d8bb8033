// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.util.Locale;

/**
 * A work completion. After a failure only number and status are defined (WC-01).
 *
 * @param flags and {@code data}: 0 where there is nothing to say
 * @param rule why
 */
public record Completion(long id, WcStatus status, WcOpcode opcode, int byteLength, int flags, int data, String rule) {

    /** Whether two completions say the same, in whatever is defined. */
    public boolean agreesWith(Completion other) {
        return id == other.id
                && status == other.status
                && (status == WcStatus.SUCCESS ? saysTheSame(other) : Reasons.agree(status, rule, other.rule));
    }

    private boolean saysTheSame(Completion other) {
        return opcode == other.opcode && byteLength == other.byteLength && flags == other.flags && data == other.data;
    }

    @Override
    public String toString() {
        String text = "#" + id + " " + status;
        if (status == WcStatus.SUCCESS) {
            text += " " + opcode + " of " + byteLength + " bytes";
            text += flags == 0 ? "" : String.format(Locale.ROOT, " flags=0x%x data=0x%08x", flags, data);
        }
        return text + (rule.isEmpty() ? "" : " [" + rule + "]");
    }
}
