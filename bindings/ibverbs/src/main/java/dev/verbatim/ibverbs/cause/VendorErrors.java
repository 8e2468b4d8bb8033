// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WorkCompletion;

/** What {@code vendor_err} says: the number of the rule that the first cause of a failure broke, for {@code verbatim explain}. */
public final class VendorErrors {

    private VendorErrors() {}

    /** Of a completion; 0 if it succeeded, or its profile has no such numbers. */
    public static int of(WorkCompletion completion) {
        int ofDevice = completion.vendorError();
        Refusal refusal = ofDevice == 0 ? null : completion.refusal();
        int number = refusal == null ? 0 : refusal.root().brokenRule().number();
        return number == 0 ? ofDevice : number;
    }
}
