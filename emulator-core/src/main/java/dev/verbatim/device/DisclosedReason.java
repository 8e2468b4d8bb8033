// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.Denial;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Syndrome;

/**
 * What a peer over a network is told of why its request was refused: of that request and of the key that it named, and nothing that a
 * peer who guesses keys could not know. Which other keys, queue pairs and domains there are stays here.
 */
final class DisclosedReason {

    private DisclosedReason() {}

    static Refusal of(Denial denial) {
        Rule rule = denial.refusal().brokenRule();
        if (isAboutTheRequest(rule)) {
            return denial.refusal();
        }
        if (isOfARevokedKey(rule)) {
            return Refusal.of(rule, "the key of the request has been revoked");
        }
        return denial.syndrome() == Syndrome.NAK_REMOTE_ACCESS
                ? Refusal.of(Rule.KEY_04, "the key of the request names no memory that this queue pair may use")
                : Refusal.of(rule, "the responder tells more in its own completion or event");
    }

    /** Its sentences say only what the request said, and what the key that it named grants. */
    private static boolean isAboutTheRequest(Rule rule) {
        return switch (rule) {
            case WC_25, WC_27, WC_28, WR_35, H3_5, NW_01, NW_02, NW_04 -> true;
            case MR_22, MR_23, MR_33, MR_55, KEY_P7 -> true;
            case MW_106, MW_107, MW_110, MW_112, MW_113 -> true;
            default -> false;
        };
    }

    /** The key was good once; which queue pairs had to do with it is left out. */
    private static boolean isOfARevokedKey(Rule rule) {
        return switch (rule) {
            case MR_65, MW_08, MW_23, MW_24, MW_80, MW_84, MW_92 -> true;
            default -> false;
        };
    }
}
