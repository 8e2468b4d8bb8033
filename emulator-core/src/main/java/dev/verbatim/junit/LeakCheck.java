// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** Finds what a test opened and did not close. */
final class LeakCheck {

    private LeakCheck() {}

    /** Throws an {@link AssertionError} that says what is open. */
    static void check(List<Device> devices) {
        List<String> open = new ArrayList<>();
        for (Device device : devices) {
            try {
                device.close();
                open.add("device " + device.name() + " was not closed");
            } catch (VerbsException e) {
                if (e.errno() == Errno.EBUSY) {
                    open.add(e.refusal().toString());
                }
            }
        }
        if (!open.isEmpty()) {
            throw new AssertionError("left open: " + String.join("; ", open));
        }
    }
}
