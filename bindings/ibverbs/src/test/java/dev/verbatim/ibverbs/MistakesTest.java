// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Handles that are wrong or freed, NULL, bits of newer headers: the error numbers of Linux, and the program goes on. */
class MistakesTest {

    @Test
    void wrongArgumentsHaveTheErrorNumbersOfLinux() throws IOException, InterruptedException {
        CProgram.compile("mistakes.c", "-lrdmacm").run().assertWrote("92 calls\n");
    }
}
