// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_srq_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_srq_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_srq_init_attr_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_xrcd_init_attr;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.SrqAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Shared receive queues and XRC domains. */
final class SharedQueues {

    /** Bits of {@code ibv_srq_init_attr_ex.comp_mask}, and its types. */
    private static final int TYPE = 1, PD = 2, XRCD = 4, CQ = 8, KNOWN = 15;

    private static final int BASIC = 0, XRC = 1;

    /** Bits of {@code ibv_xrcd_init_attr.comp_mask}; flags of open(2). */
    private static final int HAS_DESCRIPTOR = 1, HAS_FLAGS = 2, O_CREAT = 0x40, O_EXCL = 0x80;

    private SharedQueues() {}

    static long ibv_create_srq(long pd, long attributes) {
        Pd of = Pd.TABLE.at(pd);
        Srq created = new Srq(
                of.context(), of, ibv_srq_init_attr.srq_context.get(attributes), wanted(attributes), null, null);
        grant(created, attributes);
        return created.address();
    }

    private static SrqAttributes wanted(long attributes) {
        long sizes = ibv_srq_init_attr.attr.of(attributes);
        return new SrqAttributes(ibv_srq_attr.max_wr.get(sizes), ibv_srq_attr.max_sge.get(sizes), 0);
    }

    private static void grant(Srq created, long attributes) {
        SrqAttributes granted = created.queue().query();
        long sizes = ibv_srq_init_attr.attr.of(attributes);
        ibv_srq_attr.max_wr.set(sizes, granted.maxWr());
        ibv_srq_attr.max_sge.set(sizes, granted.maxSge());
    }

    static long op_create_srq_ex(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_srq_init_attr_ex.comp_mask.get(attributes);
        int type = (mask & TYPE) == 0 ? BASIC : ibv_srq_init_attr_ex.srq_type.get(attributes);
        if ((mask & ~KNOWN) != 0 || (mask & PD) == 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + mask + " lacks PD, or has unknown bits");
        }
        if (type != BASIC && type != XRC) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "srq_type=" + type + " is not supported");
        }
        if (type == XRC && (mask & (XRCD | CQ)) != (XRCD | CQ)) {
            throw new Refused(Errno.EINVAL.number(), "an XRC queue needs an XRC domain and a CQ");
        }
        Pd pd = Pd.TABLE.at(ibv_srq_init_attr_ex.pd.get(attributes));
        @Nullable Xrcd domain = type == XRC ? Xrcd.TABLE.at(ibv_srq_init_attr_ex.xrcd.get(attributes)) : null;
        @Nullable Cq cq = type == XRC ? Cq.TABLE.at(ibv_srq_init_attr_ex.cq.get(attributes)) : null;
        Srq created = new Srq(
                of,
                pd,
                ibv_srq_init_attr.srq_context.get(attributes),
                wanted(attributes),
                domain == null ? null : domain.domain(),
                cq);
        grant(created, attributes);
        return created.address();
    }

    static int op_get_srq_num(long srq, long number) {
        Native.putInt(number, Srq.TABLE.at(srq).queue().number());
        return 0;
    }

    static int ibv_modify_srq(long srq, long attributes, int mask) {
        Srq.TABLE
                .at(srq)
                .queue()
                .modify(
                        new SrqAttributes(
                                ibv_srq_attr.max_wr.get(attributes),
                                ibv_srq_attr.max_sge.get(attributes),
                                ibv_srq_attr.srq_limit.get(attributes)),
                        mask);
        return 0;
    }

    static int ibv_query_srq(long srq, long attributes) {
        SrqAttributes now = Srq.TABLE.at(srq).queue().query();
        ibv_srq_attr.max_wr.set(attributes, now.maxWr());
        ibv_srq_attr.max_sge.set(attributes, now.maxSge());
        ibv_srq_attr.srq_limit.set(attributes, now.limit());
        return 0;
    }

    static int ibv_destroy_srq(long srq) {
        Srq of = Srq.TABLE.toDestroy(srq);
        AsyncEvents.destroy("ibv_destroy_srq", srq, of.queue()::close);
        Srq.TABLE.remove(of);
        return 0;
    }

    static int op_post_srq_recv(long srq, long requests, long bad) {
        Srq.TABLE.inUse(srq).post(requests, bad);
        return 0;
    }

    static long op_open_xrcd(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_xrcd_init_attr.comp_mask.get(attributes);
        if (mask != (HAS_DESCRIPTOR | HAS_FLAGS)) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + mask + " needs fd and oflags");
        }
        int descriptor = ibv_xrcd_init_attr.fd.get(attributes);
        int flags = ibv_xrcd_init_attr.oflags.get(attributes);
        if (descriptor == -1) {
            if ((flags & O_CREAT) == 0) {
                throw new Refused(Errno.EINVAL.number(), "without a file a domain is created (O_CREAT)");
            }
            return new Xrcd(of, of.device().openXrcDomain()).address();
        }
        return new Xrcd(of, of.device().openXrcDomain(inode(descriptor, (flags & O_EXCL) != 0))).address();
    }

    /** The file that tells domains apart. */
    private static String inode(int descriptor, boolean isNew) {
        try {
            return String.valueOf(
                    Files.readAttributes(Path.of("/proc/self/fd/" + descriptor), BasicFileAttributes.class)
                            .fileKey());
        } catch (IOException e) {
            throw new Refused(Refused.EBADF, "fd=" + descriptor + " is no open file" + (isNew ? " to be new" : ""));
        }
    }

    static int op_close_xrcd(long xrcd) {
        Xrcd of = Xrcd.TABLE.toDestroy(xrcd);
        of.domain().close();
        Xrcd.TABLE.remove(of);
        return 0;
    }
}
