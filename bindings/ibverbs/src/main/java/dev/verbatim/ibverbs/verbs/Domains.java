// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_parent_domain_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_td_init_attr;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;

/** Protection domains, parent domains and thread domains. */
final class Domains {

    /**
     * Bits of {@code ibv_parent_domain_init_attr.comp_mask}: allocators, their context, and that memory may be one that a confidential guest
     * shares, of which this device asks for none.
     */
    private static final int PARENT_DOMAIN_MASK = 7;

    private Domains() {}

    static long ibv_alloc_pd(long context) {
        Context of = Context.TABLE.at(context);
        return Pd.of(of).address();
    }

    static int ibv_dealloc_pd(long pd) {
        Pd.TABLE.toDestroy(pd).close();
        return 0;
    }

    static long ibv_import_pd(long context, int handle) {
        return Pd.imported(Context.TABLE.at(context), handle).address();
    }

    static void ibv_unimport_pd(long pd) {
        Pd.TABLE.at(pd).forget();
    }

    /** Allocators are not called: the device has no buffers in memory of the program. */
    static long op_alloc_parent_domain(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_parent_domain_init_attr.comp_mask.get(attributes);
        if ((mask & ~PARENT_DOMAIN_MASK) != 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + mask + " has unknown bits");
        }
        Pd parent = Pd.TABLE.at(ibv_parent_domain_init_attr.pd.get(attributes));
        long thread = ibv_parent_domain_init_attr.td.get(attributes);
        return new Pd(of, parent.domain(), parent, thread == 0 ? null : Td.TABLE.at(thread)).address();
    }

    static long op_alloc_td(long context, long attributes) {
        if (ibv_td_init_attr.comp_mask.get(attributes) != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "comp_mask of ibv_td_init_attr has unknown bits");
        }
        return new Td(Context.TABLE.at(context)).address();
    }

    static int op_dealloc_td(long td) {
        Td.TABLE.at(td).close();
        return 0;
    }
}
