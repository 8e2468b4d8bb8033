// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** Which windows a device has (MW-02, MW-03). */
public final class WindowTypes {

    private WindowTypes() {}

    /**
     * Refuses a type that the device lacks.
     *
     * @throws VerbsException EOPNOTSUPP if it does (MW-03)
     */
    static void require(DeviceContext device, MemoryWindowType type) {
        DeviceProfile profile = device.profile();
        WindowSwitches switches = profile.windows();
        boolean has =
                type == MemoryWindowType.TYPE_1 ? switches.type1() : switches.type2() != WindowSwitches.Type2.NONE;
        if (!has) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP, Rule.MW_03, "profile %s has no windows of %s", profile.name(), type);
        }
        device.decided(0, Rule.MW_02);
    }

    /** Whether the domain of the user of a window is compared: not for type 2A, where the queue pair alone does (MW-01). */
    public static boolean comparesDomain(WindowSwitches switches, MemoryWindowType type) {
        return type == MemoryWindowType.TYPE_1 || switches.type2() == WindowSwitches.Type2.B;
    }

    /** What the device says of it in its attributes. */
    public static int capabilities(WindowSwitches switches) {
        int ofType1 = switches.type1() ? DeviceCapabilities.MEM_WINDOW : 0;
        return ofType1
                | switch (switches.type2()) {
                    case NONE -> 0;
                    case A -> DeviceCapabilities.MEM_MGT_EXTENSIONS | DeviceCapabilities.MEM_WINDOW_TYPE_2A;
                    case B -> DeviceCapabilities.MEM_MGT_EXTENSIONS | DeviceCapabilities.MEM_WINDOW_TYPE_2B;
                };
    }
}
