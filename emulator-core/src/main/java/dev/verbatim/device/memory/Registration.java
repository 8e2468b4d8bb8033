// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is checked before a memory region comes to be, in the order of section A.2. */
public final class Registration {

    private static final int DEFINED = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND
            | AccessFlags.ZERO_BASED
            | AccessFlags.ON_DEMAND
            | AccessFlags.HUGETLB
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.FLUSH_PERSISTENT;
    private static final int OPTIONAL_RANGE = 0x3ff0_0000;
    private static final int FLUSH_RIGHTS = AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;
    private static final int REMOTE_RIGHTS =
            AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC | FLUSH_RIGHTS;
    private static final int WORD_BYTES = 8;

    /** {@code SIZE_MAX}, which asks for on-demand paging of everything. */
    private static final long LENGTH_OF_ADDRESS_SPACE = -1;

    private Registration() {}

    static boolean grantsRemote(int access) {
        return (access & REMOTE_RIGHTS) != 0;
    }

    public static void check(
            DeviceContext device, Memory memory, long offset, long lengthBytes, long address, int access) {
        checkAccess(device, lengthBytes, address, access);
        acceptOptional(device, access);
        checkRange(device, memory, offset, lengthBytes, address);
        checkMemory(device, memory, offset, lengthBytes, address, access);
    }

    private static void checkAccess(DeviceContext device, long lengthBytes, long address, int access) {
        int unknown = access & ~(DEFINED | OPTIONAL_RANGE);
        if (unknown != 0) {
            throw VerbsException.of(Errno.EINVAL, Rule.MR_01, "access=0x%x has the unknown bits 0x%x", access, unknown);
        }
        requireLocalWrite(access, AccessFlags.REMOTE_WRITE, Rule.MR_03);
        requireLocalWrite(access, AccessFlags.REMOTE_ATOMIC, Rule.MR_04);
        if ((access & AccessFlags.ON_DEMAND) != 0) {
            checkOnDemand(device, lengthBytes, address);
        }
        if (!device.can(DeviceCapabilities.FLUSH_GLOBAL | DeviceCapabilities.FLUSH_PERSISTENT)) {
            refuseUnsupported(access, FLUSH_RIGHTS, Errno.EOPNOTSUPP, Rule.MR_06);
        }
    }

    private static void checkOnDemand(DeviceContext device, long lengthBytes, long address) {
        if (OnDemandPaging.isSupported(device)) {
            device.decided(0, Rule.MR_73);
            return;
        }
        boolean wholeAddressSpace = address == 0 && lengthBytes == LENGTH_OF_ADDRESS_SPACE;
        Errno noOnDemand = device.profile().onDemandUnknown() ? Errno.EINVAL : Errno.EOPNOTSUPP;
        refuseUnsupported(
                AccessFlags.ON_DEMAND, AccessFlags.ON_DEMAND, noOnDemand, wholeAddressSpace ? Rule.MR_70 : Rule.MR_05);
    }

    /** Optional rights that the device lacks are no error, nor is MW_BIND on a device without windows. */
    private static void acceptOptional(DeviceContext device, int access) {
        if ((access & OPTIONAL_RANGE) != 0) {
            device.decided(0, Rule.MR_02);
        }
        if ((access & (AccessFlags.RELAXED_ORDERING | AccessFlags.UNORDERED)) != 0) {
            device.decided(0, Rule.MR_71);
            device.decided(0, Rule.ORD_38);
        }
        if ((access & AccessFlags.MW_BIND) != 0) {
            device.decided(0, Rule.MR_07);
        }
    }

    private static void requireLocalWrite(int access, int right, Rule rule) {
        if ((access & right) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    rule,
                    "access=%s has %s without LOCAL_WRITE; add LOCAL_WRITE",
                    AccessFlags.describe(access),
                    AccessFlags.describe(right));
        }
    }

    private static void refuseUnsupported(int access, int rights, Errno errno, Rule rule) {
        if ((access & rights) != 0) {
            throw VerbsException.of(
                    errno, rule, "the device does not support %s", AccessFlags.describe(access & rights));
        }
    }

    private static void checkRange(DeviceContext device, Memory memory, long offset, long lengthBytes, long address) {
        long most = device.profile().limits().maxMrSizeBytes();
        if (lengthBytes < 0 || Long.compareUnsigned(lengthBytes, most) > 0) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.MR_16,
                    "lengthBytes=%d is not in 0..%s (max_mr_size)",
                    lengthBytes,
                    Long.toUnsignedString(most));
        }
        if (offset < 0 || offset > memory.sizeBytes() - lengthBytes) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.MR_08,
                    "offset=%d lengthBytes=%d leave the memory of %d bytes",
                    offset,
                    lengthBytes,
                    memory.sizeBytes());
        }
        if (lengthBytes > 0 && Long.compareUnsigned(address + lengthBytes - 1, address) < 0) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.MR_08,
                    "iova=0x%x + lengthBytes=%d passes the end of 64 bits",
                    address,
                    lengthBytes);
        }
        if (lengthBytes == 0) {
            DeviceProfile profile = device.profile();
            if (!profile.zeroLengthMr()) {
                throw VerbsException.of(
                        Errno.EINVAL, Rule.MR_30, "profile %s refuses regions of length 0", profile.name());
            }
            device.decided(0, Rule.MR_30);
        }
        if (address == memory.address() + offset) {
            device.decided(0, Rule.MR_24);
        } else {
            device.decided(0, Rule.MR_20);
            device.decided(0, Rule.MR_21);
        }
    }

    private static MemoryDomain.@Nullable Kind kindOf(DeviceContext device, Memory memory) {
        MemorySystem system = device.memorySystem();
        return system == null ? null : system.domainOf(memory.address()).kind();
    }

    private static void checkMemory(
            DeviceContext device, Memory memory, long offset, long lengthBytes, long address, int access) {
        if ((access & FLUSH_RIGHTS) != 0 && kindOf(device, memory) == MemoryDomain.Kind.DEVICE) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.VIS_15,
                    "%s is memory of a GPU, which takes no %s (ibv_reg_dmabuf_mr); leave it out, and READ from that memory"
                            + " to have earlier WRITEs arrive",
                    memory,
                    AccessFlags.describe(access & FLUSH_RIGHTS));
        }
        if (memory.isReadOnly() && (access & AccessFlags.LOCAL_WRITE) != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.MR_17, "read-only memory cannot be registered with LOCAL_WRITE; leave it out");
        }
        if ((access & AccessFlags.FLUSH_PERSISTENT) != 0
                && !memory.isPersistent()
                && kindOf(device, memory) != MemoryDomain.Kind.PERSISTENT) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.NW_02,
                    "%s is not of a file, so nothing makes it persistent; map one and register Memory.of(mapped), or leave"
                            + " FLUSH_PERSISTENT out",
                    memory);
        }
        if ((access & AccessFlags.REMOTE_ATOMIC) != 0
                && lengthBytes > 0
                && memory.alignment(offset) != (int) (address & WORD_BYTES - 1)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.WR_37,
                    "REMOTE_ATOMIC needs memory and address to agree about 8-byte alignment, but address 0x%x lies at"
                            + " memory that is %d past it",
                    address,
                    memory.alignment(offset));
        }
        // What a source has may be reserved, sparse or protected: it is found out when it is used, and the source is
        // asked then.
        if (lengthBytes > 0 && !memory.isGuarded()) {
            ByteBuffer buffer = memory.buffer();
            probe(buffer, Math.toIntExact(Objects.checkIndex(offset, (long) buffer.limit())));
        }
    }

    /** Memory that not every thread can read (a closed or confined arena) is found out now and not in traffic. */
    private static void probe(ByteBuffer buffer, int offset) {
        if (ConfinedMemory.holds(buffer)) {
            throw unreadable("it is of a confined arena, so only one thread may use it");
        }
        try {
            buffer.get(offset);
        } catch (RuntimeException | InternalError e) {
            throw unreadable(e.toString());
        }
    }

    private static VerbsException unreadable(String why) {
        return VerbsException.of(
                Errno.EINVAL,
                Rule.MR_08,
                "the memory cannot be read by the device (%s); give memory that any thread may use and that stays open,"
                        + " such as that of a shared arena",
                why);
    }
}
