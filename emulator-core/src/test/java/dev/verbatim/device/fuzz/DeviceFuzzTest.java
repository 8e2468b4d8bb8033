// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

/** A device keeps its memory, its books and its head, whatever peers send and programs do; see {@link Trial}. */
@Tag("smoke")
class DeviceFuzzTest {

    @FuzzTest
    void deviceIsSafe(byte[] script) {
        Trial.run(script);
    }
}
