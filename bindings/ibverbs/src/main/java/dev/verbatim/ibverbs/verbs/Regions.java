// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_alloc_dm_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mr_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.Sge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory regions, device memory, and advice. */
final class Regions {

    /** Flags that a device may ignore, and this one does: IBV_ACCESS_OPTIONAL_RANGE without RELAXED_ORDERING and UNORDERED. */
    private static final int OPTIONAL = 0x3ff0_0000 & ~(AccessFlags.RELAXED_ORDERING | AccessFlags.UNORDERED);

    private static final long WHOLE = -1;
    private static final int MOST_ELEMENTS = 1 << 16;

    /** Bits of {@code ibv_mr_init_attr.comp_mask}. */
    private static final int HAS_IOVA = 1, HAS_ADDRESS = 1 << 1, HAS_DESCRIPTOR = 1 << 2, KNOWN = (1 << 6) - 1;

    private static final long PAGE_BYTES = 4096;

    /** Linux counts the pages of a region in 32 bits. */
    private static final long MOST_BYTES = 0xffffffffL * PAGE_BYTES;

    /** A page that is touched gets memory of its own. */
    private static final long MOST_TOUCHED_BYTES = 1L << 20;

    private static final int DEVICE_WORD_BYTES = 4;

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
        if ((address & PAGE_BYTES - 1) != (iova & PAGE_BYTES - 1)) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    String.format("addr=0x%x and iova=0x%x lie differently in their pages", address, iova));
        }
        if (address == 0 && lengthBytes == WHOLE && (flags & AccessFlags.ON_DEMAND) != 0) {
            region = of.domain().register(ProcessMemory.at(0, ProcessMemory.USER_BYTES), flags);
        } else {
            Memory memory = memoryAt(address, lengthBytes, flags);
            region = (flags & AccessFlags.ZERO_BASED) != 0 || iova == address
                    ? of.domain().register(memory, 0, lengthBytes, flags)
                    : of.domain().registerIova(memory, 0, lengthBytes, iova, flags);
        }
        return new Mr(of, region, address, lengthBytes).address();
    }

    private static Memory memoryAt(long address, long lengthBytes, int access) {
        if (Long.compareUnsigned(lengthBytes, MOST_BYTES) > 0 || Long.compareUnsigned(address, ~lengthBytes) > 0) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    String.format("addr=0x%x length=%s is no range", address, Long.toUnsignedString(lengthBytes)));
        }
        if (address < 0 || address > ProcessMemory.USER_BYTES - lengthBytes) {
            throw new Refused(
                    Refused.EFAULT,
                    String.format("addr=0x%x length=%d is beyond the memory of a program", address, lengthBytes));
        }
        if ((access & AccessFlags.ON_DEMAND) == 0) {
            if (lengthBytes == 0 && (address & PAGE_BYTES - 1) == 0) {
                throw new Refused(
                        Errno.EINVAL.number(),
                        String.format("length=0 at addr=0x%x, where a page begins, has no page to register", address));
            }
            requirePages(address, lengthBytes, (access & AccessFlags.LOCAL_WRITE) != 0);
        }
        boolean isPersistent = (access & AccessFlags.FLUSH_PERSISTENT) != 0 && Mappings.areOfFile(address, lengthBytes);
        return ProcessMemory.at(address, lengthBytes, isPersistent);
    }

    /**
     * All pages must be there, as Linux takes hold of them, and what is to be written must not be for reading only. The first and the last page
     * are touched, and all of a small range: mappings do not tell whether a file is as long as they are.
     */
    private static void requirePages(long address, long lengthBytes, boolean isWritten) {
        long last = address + Math.max(1, lengthBytes) - 1;
        long page = lengthBytes <= MOST_TOUCHED_BYTES
                ? firstUntouchable(address, last, isWritten)
                : Mappings.firstUnusable(address, last, isWritten);
        if (page < 0 && !Library.isUsable(last, 1, isWritten)) {
            page = last & -PAGE_BYTES;
        }
        if (page >= 0) {
            throw new Refused(
                    Refused.EFAULT,
                    String.format(
                            "the page at 0x%x of addr=0x%x length=%d %s",
                            page,
                            address,
                            lengthBytes,
                            !Native.isMapped(page)
                                    ? "is not mapped"
                                    : Library.isUsable(page, 1, false)
                                            ? "is for reading only, and is to have LOCAL_WRITE"
                                            : "cannot be read: it has no rights, or its file is shorter"));
        }
    }

    private static long firstUntouchable(long address, long last, boolean isWritten) {
        if (Library.isUsable(address, last - address + 1, isWritten)) {
            return -1;
        }
        long page = address & -PAGE_BYTES;
        while (page + PAGE_BYTES <= last && Library.isUsable(page, 1, isWritten)) {
            page += PAGE_BYTES;
        }
        return page;
    }

    /** Of a range of the program; memory by descriptors, steering tags and buffers of the library are not supported. */
    static long ibv_reg_mr_ex(long pd, long attributes) {
        long mask = ibv_mr_init_attr.comp_mask.get(attributes);
        if ((mask & ~KNOWN) != 0 || (mask & (HAS_ADDRESS | HAS_DESCRIPTOR)) == 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + mask + " has unknown bits, or no ADDR");
        }
        if ((mask & ~HAS_IOVA) != HAS_ADDRESS) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "comp_mask=" + mask + " has more than ADDR and IOVA");
        }
        long address = ibv_mr_init_attr.addr.get(attributes);
        long iova = (mask & HAS_IOVA) != 0 ? ibv_mr_init_attr.iova.get(attributes) : address;
        int access = ibv_mr_init_attr.access.get(attributes);
        return ibv_reg_mr_iova2(pd, address, ibv_mr_init_attr.length.get(attributes), iova, access);
    }

    static long ibv_reg_dmabuf_mr(long pd, long offset, long lengthBytes, long iova, int descriptor, int access) {
        Pd unused = Pd.TABLE.at(pd);
        throw new Refused(Errno.EOPNOTSUPP.number(), "memory of other devices cannot be registered");
    }

    static int ibv_rereg_mr(long mr, int flags, long pd, long address, long lengthBytes, int access) {
        Mr of = Mr.TABLE.at(mr);
        boolean moves = (flags & ReregistrationFlags.CHANGE_TRANSLATION) != 0;
        if ((flags & ~ReregistrationFlags.ALL) != 0 || flags == 0) {
            throw wrongInput("flags=0x%x: choose some of CHANGE_TRANSLATION, CHANGE_PD and CHANGE_ACCESS", flags);
        }
        @Nullable Pd to = (flags & ReregistrationFlags.CHANGE_PD) == 0 ? null : Pd.TABLE.at(pd);
        if (moves && (lengthBytes <= 0 || address <= 0 || address > ProcessMemory.USER_BYTES - lengthBytes)) {
            throw wrongInput("CHANGE_TRANSLATION to addr=0x%x length=%d, which is no memory", address, lengthBytes);
        }
        try {
            Memory memory = moves
                    ? memoryAt(
                            address,
                            lengthBytes,
                            changesAccess(flags) ? access : of.region().access())
                    : null;
            of.region()
                    .reregister(
                            flags,
                            to == null ? null : to.domain(),
                            memory,
                            0,
                            moves ? lengthBytes : 0,
                            access & ~OPTIONAL);
        } catch (ReregistrationException e) {
            return refused(e, e.errno().number(), e.error());
        } catch (Refused e) {
            return refused(e, e.errno(), ReregistrationError.CMD);
        }
        if (to != null) {
            ibv_mr.pd.set(mr, to.address());
        }
        of.describe(moves ? address : ibv_mr.addr.get(mr), moves ? lengthBytes : ibv_mr.length.get(mr));
        return 0;
    }

    /** The verb returns IBV_REREG_MR_ERR_INPUT then, which is -1. */
    private static Refused wrongInput(String format, Object... values) {
        return new Refused(Errno.EINVAL.number(), String.format(format, values));
    }

    private static int refused(RuntimeException why, int errno, ReregistrationError error) {
        Messages.refused("ibv_rereg_mr", why);
        Native.errno(errno);
        return error.number();
    }

    private static boolean changesAccess(int flags) {
        return (flags & ReregistrationFlags.CHANGE_ACCESS) != 0;
    }

    static int ibv_dereg_mr(long mr) {
        Mr.TABLE.toDestroy(mr).close();
        return 0;
    }

    static long ibv_import_mr(long pd, int handle) {
        return Mr.imported(Pd.TABLE.at(pd), handle).address();
    }

    static void ibv_unimport_mr(long mr) {
        Mr.TABLE.at(mr).forget();
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
        Dm.TABLE.toDestroy(dm).close();
        return 0;
    }

    static int op_memcpy_to_dm(long dm, long offset, long from, long lengthBytes) {
        Dm of = Dm.TABLE.at(dm);
        of.memory().write(offset, Native.buffer(from, sizeOf(of, offset, lengthBytes)));
        return 0;
    }

    static int op_memcpy_from_dm(long to, long dm, long offset, long lengthBytes) {
        Dm of = Dm.TABLE.at(dm);
        of.memory().read(offset, Native.buffer(to, sizeOf(of, offset, lengthBytes)));
        return 0;
    }

    /** Device memory is read and written by words, as programs of adapters that have it know. */
    private static int sizeOf(Dm of, long offset, long lengthBytes) {
        if ((offset | lengthBytes) % DEVICE_WORD_BYTES != 0) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    "offset=" + offset + " and length=" + lengthBytes + " are not multiples of 4");
        }
        if (lengthBytes < 0 || lengthBytes > of.memory().lengthBytes()) {
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
        MemoryRegion region =
                of.domain().register(memory.memory(), (int) offset, (int) lengthBytes, access & ~OPTIONAL);
        return new Mr(of, region, 0, lengthBytes).address();
    }

    static long ibv_import_dm(long context, int handle) {
        return Dm.imported(Context.TABLE.at(context), handle).address();
    }

    static void ibv_unimport_dm(long dm) {
        Dm.TABLE.at(dm).forget();
    }
}
