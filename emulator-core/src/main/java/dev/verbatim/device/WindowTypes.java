// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.MemoryWindowType;

/** Which windows a device has (MW-02, MW-03). */
final class WindowTypes {

    private WindowTypes() {}

    static boolean has(WindowSwitches switches, MemoryWindowType type) {
        return type == MemoryWindowType.TYPE_1 ? switches.type1() : switches.type2() != WindowSwitches.Type2.NONE;
    }

    /** What the device says of it in its attributes. */
    static int capabilities(WindowSwitches switches) {
        int ofType1 = switches.type1() ? DeviceCapabilities.MEM_WINDOW : 0;
        return ofType1
                | switch (switches.type2()) {
                    case NONE -> 0;
                    case A -> DeviceCapabilities.MEM_MGT_EXTENSIONS | DeviceCapabilities.MEM_WINDOW_TYPE_2A;
                    case B -> DeviceCapabilities.MEM_MGT_EXTENSIONS | DeviceCapabilities.MEM_WINDOW_TYPE_2B;
                };
    }
}
