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

    /** Throws an {@link AssertionError} that says which devices are open, and what is on them. */
    static void check(List<Device> devices) {
        List<String> open = new ArrayList<>();
        for (Device device : devices) {
            try {
                device.close();
                open.add("device " + device.name() + " was not closed");
            } catch (VerbsException e) {
                addBusy(e, open);
            }
        }
        if (!open.isEmpty()) {
            throw new AssertionError("left open: " + String.join("; ", open));
        }
    }

    /** Closes devices, whose owner is not who is checked; says what is open on those that cannot be closed. */
    static List<String> onDevices(List<Device> devices) {
        List<String> open = new ArrayList<>();
        for (Device device : devices) {
            try {
                device.close();
            } catch (VerbsException e) {
                addBusy(e, open);
            }
        }
        return open;
    }

    /** One that was closed before is no leak. */
    private static void addBusy(VerbsException refused, List<String> open) {
        if (refused.errno() == Errno.EBUSY) {
            open.add(refused.refusal().toString());
        }
    }
}
