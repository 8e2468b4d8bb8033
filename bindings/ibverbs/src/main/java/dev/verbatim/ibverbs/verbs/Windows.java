// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_mw;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mw_bind;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mw_bind_info;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.WindowBind;
import org.jspecify.annotations.Nullable;

/** Memory windows: allocated, bound by ibv_bind_mw (type 1), freed. */
final class Windows {

    private Windows() {}

    static long op_alloc_mw(long pd, int type) {
        Pd of = Pd.TABLE.at(pd);
        for (MemoryWindowType candidate : MemoryWindowType.values()) {
            if (candidate.number() == type) {
                return new Mw(of, of.domain().allocateWindow(candidate)).address();
            }
        }
        throw new Refused(Errno.EINVAL.number(), "type=" + type + " is neither 1 nor 2");
    }

    static int op_bind_mw(long qp, long mw, long bind) {
        Mw window = Mw.TABLE.inUse(mw);
        Qp of = Qp.TABLE.inUse(qp);
        long info = ibv_mw_bind.bind_info.of(bind);
        WindowBind wanted = new WindowBind(
                ibv_mw_bind.wr_id.get(bind),
                ibv_mw_bind.send_flags.get(bind),
                new BindInfo(
                        regionOf(info),
                        ibv_mw_bind_info.addr.get(info),
                        ibv_mw_bind_info.length.get(info),
                        ibv_mw_bind_info.mw_access_flags.get(info)));
        Posts posts = of.posts();
        if (posts == null) {
            of.queuePair().bindWindow(window.window(), wanted);
        } else {
            posts.send(wanted.id(), () -> of.queuePair().bindWindow(window.window(), wanted));
        }
        describe(mw, window.window().rkey());
        return 0;
    }

    /** A bind is posted: its key is that of the window from now on (ibv_alloc_mw(3): it changes during bind operations). */
    static void describe(long mw, int rkey) {
        ibv_mw.rkey.set(mw, rkey);
    }

    /** The region that a bind names; null for none, which the device judges. */
    static @Nullable MemoryRegion regionOf(long info) {
        long mr = ibv_mw_bind_info.mr.get(info);
        return mr == 0 ? null : Mr.TABLE.inUse(mr).region();
    }

    static int op_dealloc_mw(long mw) {
        Mw window = Mw.TABLE.toDestroy(mw);
        window.window().close();
        Mw.TABLE.remove(window);
        return 0;
    }
}
