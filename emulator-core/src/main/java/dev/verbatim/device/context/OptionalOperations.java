// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;

/** Operations that a device may lack, and the capability that says whether it has them (NW-04). */
public final class OptionalOperations {

    /** Of an operation that every device has. */
    private static final long NONE = 0;

    private OptionalOperations() {}

    /** Whether the device knows a request that is posted. */
    public static boolean has(DeviceContext device, WrOpcode opcode) {
        return device.can(
                switch (opcode) {
                    case ATOMIC_WRITE -> DeviceCapabilities.ATOMIC_WRITE;
                    case FLUSH -> DeviceCapabilities.FLUSH_GLOBAL;
                    case SEND_WITH_INV, LOCAL_INV -> DeviceCapabilities.MEM_MGT_EXTENSIONS;
                    case TSO,
                            DRIVER1,
                            SEND,
                            SEND_WITH_IMM,
                            RDMA_WRITE,
                            RDMA_WRITE_WITH_IMM,
                            RDMA_READ,
                            ATOMIC_CMP_AND_SWP,
                            ATOMIC_FETCH_AND_ADD,
                            BIND_MW -> NONE;
                });
    }

    /** Whether the device knows a request that arrives. */
    public static boolean has(DeviceContext device, Opcode opcode) {
        if (opcode.has(Header.IETH)) {
            return has(device, WrOpcode.SEND_WITH_INV);
        }
        return switch (opcode.kind()) {
            case FLUSH -> has(device, WrOpcode.FLUSH);
            case ATOMIC_WRITE -> has(device, WrOpcode.ATOMIC_WRITE);
            default -> true;
        };
    }
}
