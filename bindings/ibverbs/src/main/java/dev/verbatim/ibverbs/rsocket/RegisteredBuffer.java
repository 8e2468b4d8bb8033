// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Sge;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Memory of a socket's own that the device may use, copied from and to memory of the program. */
final class RegisteredBuffer {

    private final MemoryRegion region;
    private final ByteBuffer bytes;
    private final long native0;

    RegisteredBuffer(ProtectionDomain pd, int sizeBytes, int access) {
        Memory memory = Memory.allocate(sizeBytes);
        region = pd.register(memory, access);
        bytes = memory.buffer();
        native0 = MemorySegment.ofBuffer(bytes).address();
    }

    /** Its bytes, in native order. */
    ByteBuffer bytes() {
        return bytes;
    }

    Sge sge(int offset, int lengthBytes) {
        return new Sge(region.address() + offset, lengthBytes, region.lkey());
    }

    ConnectionData.Place place(int offset, int length) {
        return new ConnectionData.Place(region.address() + offset, region.rkey(), length);
    }

    void copyFrom(long program, int offset, int lengthBytes) {
        Native.copy(program, native0 + offset, lengthBytes);
    }

    void copyTo(long program, int offset, int lengthBytes) {
        Native.copy(native0 + offset, program, lengthBytes);
    }

    void close() {
        region.close();
    }
}
