// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_alloc_dm_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_dm;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.Sge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory regions, device memory, and advice. */
final class Regions {

    /** Flags that a device may ignore, and this one does: IBV_ACCESS_OPTIONAL_RANGE without RELAXED_ORDERING. */
    private static final int OPTIONAL = 0x3ff0_0000 & ~AccessFlags.RELAXED_ORDERING;

    private static final long WHOLE = -1;
    private static final int MOST_ELEMENTS = 1 << 16;

    /** {@code IBV_REREG_MR_ERR_INPUT}. */
    private static final int REREG_INPUT = -1;

    private Regions() {}

    static long ibv_reg_mr(long pd, long address, long lengthBytes, int access) {
        return ibv_reg_mr_iova2(pd, address, lengthBytes, address, access);
    }

    static long ibv_reg_mr_iova(long pd, long address, long lengthBytes, long iova, int access) {
        return ibv_reg_mr_iova2(pd, address, lengthBytes, iova, access);
    }

    static long ibv_reg_mr_iova2(long pd, long address, long lengthBytes, long iova, int access) {
        Pd of = Pd.TABLE.at(pd);
        int flags = access & ~OPTIONAL;
        MemoryRegion region;
        if (address == 0 && lengthBytes == WHOLE && (flags & AccessFlags.ON_DEMAND) != 0) {
            region = of.domain().register(ProcessMemory.at(0, ProcessMemory.USER_BYTES), flags);
        } else {
            Memory memory = memoryAt(address, lengthBytes);
            region = (flags & AccessFlags.ZERO_BASED) != 0 || iova == address
                    ? of.domain().register(memory, 0, lengthBytes, flags)
                    : of.domain().registerIova(memory, 0, lengthBytes, iova, flags);
        }
        return new Mr(of, region, address, lengthBytes).address();
    }

    private static Memory memoryAt(long address, long lengthBytes) {
        if (address < 0 || lengthBytes < 0 || address > ProcessMemory.USER_BYTES - lengthBytes) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    String.format("addr=0x%x length=%d is not memory of a program", address, lengthBytes));
        }
        return ProcessMemory.at(address, lengthBytes);
    }

    /** Bits of {@code ibv_mr_init_attr.comp_mask}: iova, address, descriptor, DMA handle. */
    private static final int HAS_IOVA = 1, HAS_ADDRESS = 2;

    private static final Field.I64 LENGTH = new Field.I64(0), IOVA = new Field.I64(16), ADDRESS = new Field.I64(24);
    private static final Field.I32 ACCESS = new Field.I32(8), MASK = new Field.I32(12);

    static long ibv_reg_mr_ex(long pd, long attributes) {
        int mask = MASK.get(attributes);
        if ((mask & ~HAS_IOVA) != HAS_ADDRESS) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "comp_mask=" + mask + " is not address, or address and iova");
        }
        long address = ADDRESS.get(attributes);
        long iova = (mask & HAS_IOVA) != 0 ? IOVA.get(attributes) : address;
        return ibv_reg_mr_iova2(pd, address, LENGTH.get(attributes), iova, ACCESS.get(attributes));
    }

    static long ibv_reg_dmabuf_mr(long pd, long offset, long lengthBytes, long iova, int descriptor, int access) {
        Pd unused = Pd.TABLE.at(pd);
        throw new Refused(Errno.EOPNOTSUPP.number(), "memory of other devices cannot be registered");
    }

    static int ibv_rereg_mr(long mr, int flags, long pd, long address, long lengthBytes, int access) {
        Mr of = Mr.TABLE.find(mr);
        boolean moves = (flags & ReregistrationFlags.CHANGE_TRANSLATION) != 0;
        @Nullable Pd to = (flags & ReregistrationFlags.CHANGE_PD) == 0 ? null : Pd.TABLE.find(pd);
        if (of == null
                || (flags & ~ReregistrationFlags.ALL) != 0
                || flags == 0
                || ((flags & ReregistrationFlags.CHANGE_PD) != 0 && to == null)
                || (moves && (lengthBytes <= 0 || address <= 0 || address > ProcessMemory.USER_BYTES - lengthBytes))) {
            Native.errno(Errno.EINVAL.number());
            return REREG_INPUT;
        }
        try {
            of.region()
                    .reregister(
                            flags,
                            to == null ? null : to.domain(),
                            moves ? ProcessMemory.at(address, lengthBytes) : null,
                            0,
                            moves ? lengthBytes : 0,
                            access & ~OPTIONAL);
        } catch (ReregistrationException e) {
            Native.errno(e.errno().number());
            return e.error().number();
        }
        if (to != null) {
            ibv_mr.pd.set(mr, to.address());
        }
        of.describe(moves ? address : ibv_mr.addr.get(mr), moves ? lengthBytes : ibv_mr.length.get(mr));
        return 0;
    }

    static int ibv_dereg_mr(long mr) {
        Mr of = Mr.TABLE.at(mr);
        of.region().close();
        Mr.TABLE.remove(of);
        return 0;
    }

    static long ibv_import_mr(long pd, int handle) {
        Pd unused = Pd.TABLE.at(pd);
        throw new Refused(Errno.EOPNOTSUPP.number(), "objects of other processes cannot be imported");
    }

    static void ibv_unimport_mr(long mr) {
        // Nothing is imported.
    }

    static long op_alloc_null_mr(long pd) {
        Pd of = Pd.TABLE.at(pd);
        return new Mr(of, of.domain().allocateNullRegion(), 0, 0).address();
    }

    static int op_advise_mr(long pd, int advice, int flags, long elements, int count) {
        Pd of = Pd.TABLE.at(pd);
        if (count <= 0 || count > MOST_ELEMENTS || elements == 0) {
            throw new Refused(Errno.EINVAL.number(), "num_sge=" + count + " is not in 1.." + MOST_ELEMENTS);
        }
        List<Sge> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = elements + (long) i * ibv_sge.SIZE;
            list.add(new Sge(ibv_sge.addr.get(at), ibv_sge.length.get(at), ibv_sge.lkey.get(at)));
        }
        of.domain().advise(advice, flags, list);
        return 0;
    }

    // ---- device memory

    /** A {@code struct ibv_dm}, which has the functions that copy. */
    private static final class Dm extends Struct {

        static final Table<Dm> TABLE = new Table<>(ibv_dm.handle, "ibv_dm");

        private final DeviceMemory memory;

        Dm(Context context, DeviceMemory memory) {
            super(ibv_dm.SIZE);
            this.memory = memory;
            ibv_dm.context.set(address(), context.address());
            ibv_dm.memcpy_to_dm.set(address(), Library.pointerTo("op_memcpy_to_dm"));
            ibv_dm.memcpy_from_dm.set(address(), Library.pointerTo("op_memcpy_from_dm"));
            TABLE.add(this);
        }
    }

    static long op_alloc_dm(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        if (ibv_alloc_dm_attr.comp_mask.get(attributes) != 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask of ibv_alloc_dm_attr has unknown bits");
        }
        return new Dm(
                        of,
                        of.device()
                                .allocateDeviceMemory(
                                        ibv_alloc_dm_attr.length.get(attributes),
                                        ibv_alloc_dm_attr.log_align_req.get(attributes)))
                .address();
    }

    static int op_free_dm(long dm) {
        Dm of = Dm.TABLE.at(dm);
        of.memory.close();
        Dm.TABLE.remove(of);
        return 0;
    }

    static int op_memcpy_to_dm(long dm, long offset, long from, long lengthBytes) {
        Dm of = Dm.TABLE.at(dm);
        of.memory.write(offset, Native.buffer(from, sizeOf(of, offset, lengthBytes)));
        return 0;
    }

    static int op_memcpy_from_dm(long to, long dm, long offset, long lengthBytes) {
        Dm of = Dm.TABLE.at(dm);
        of.memory.read(offset, Native.buffer(to, sizeOf(of, offset, lengthBytes)));
        return 0;
    }

    /** Device memory is copied in words of four bytes. */
    private static int sizeOf(Dm of, long offset, long lengthBytes) {
        if (((offset | lengthBytes) & 3) != 0) {
            throw new Refused(
                    Errno.EINVAL.number(), "offset=" + offset + " length=" + lengthBytes + " are not multiples of 4");
        }
        if (lengthBytes < 0 || lengthBytes > of.memory.lengthBytes()) {
            throw new Refused(Refused.EFAULT, "length=" + lengthBytes + " is beyond the device memory");
        }
        return (int) lengthBytes;
    }

    static long op_reg_dm_mr(long pd, long dm, long offset, long lengthBytes, int access) {
        Pd of = Pd.TABLE.at(pd);
        Dm memory = Dm.TABLE.at(dm);
        if (offset < 0 || offset > Integer.MAX_VALUE || lengthBytes < 0 || lengthBytes > Integer.MAX_VALUE) {
            throw new Refused(Errno.EINVAL.number(), "the range is beyond the device memory");
        }
        MemoryRegion region = of.domain().register(memory.memory, (int) offset, (int) lengthBytes, access & ~OPTIONAL);
        return new Mr(of, region, 0, lengthBytes).address();
    }

    static long ibv_import_dm(long context, int handle) {
        Context unused = Context.TABLE.at(context);
        throw new Refused(Errno.EOPNOTSUPP.number(), "objects of other processes cannot be imported");
    }

    static void ibv_unimport_dm(long dm) {
        // Nothing is imported.
    }
}
