// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** What a creator refuses by the number of the parameter. */
final class NdLimits {

    private NdLimits() {}

    static void check(int parameter, String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new NdException(
                    NdStatus.invalidParameter(parameter), "%s=%d is not in %d..%d", name, value, least, most);
        }
    }
}
