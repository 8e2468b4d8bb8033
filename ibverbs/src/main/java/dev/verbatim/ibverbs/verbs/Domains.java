// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_parent_domain_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_td;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.Errno;
import org.jspecify.annotations.Nullable;

/** Protection domains, parent domains and thread domains. */
final class Domains {

    /** Bits of {@code ibv_parent_domain_init_attr.comp_mask}: allocators, and their context. */
    private static final int PARENT_DOMAIN_MASK = 3;

    private Domains() {}

    /** A {@code struct ibv_td}, of which the first member alone is public. */
    private static final class Td extends Struct {

        static final Table<Td> TABLE = new Table<>(new Field.I32(ibv_td.SIZE), "ibv_td");

        Td(long context) {
            super(ibv_td.SIZE + Long.BYTES);
            Native.putLong(address(), context);
            TABLE.add(this);
        }
    }

    static long ibv_alloc_pd(long context) {
        Context of = Context.TABLE.at(context);
        return new Pd(of, of.device().allocatePd(), null).address();
    }

    static int ibv_dealloc_pd(long pd) {
        Pd of = Pd.TABLE.at(pd);
        if (of.hasChildren()) {
            throw new Refused(Errno.EBUSY.number(), "the protection domain has parent domains");
        }
        if (of.parent() == null) {
            of.domain().close();
        }
        of.leaveParent();
        Pd.TABLE.remove(of);
        return 0;
    }

    static long ibv_import_pd(long context, int handle) {
        Context unused = Context.TABLE.at(context);
        throw new Refused(Errno.EOPNOTSUPP.number(), "objects of other processes cannot be imported");
    }

    static void ibv_unimport_pd(long pd) {
        // Nothing is imported.
    }

    static long op_alloc_parent_domain(long context, long attributes) {
        Context of = Context.TABLE.at(context);
        int mask = ibv_parent_domain_init_attr.comp_mask.get(attributes);
        if ((mask & ~PARENT_DOMAIN_MASK) != 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + mask + " has unknown bits");
        }
        Pd parent = Pd.TABLE.at(ibv_parent_domain_init_attr.pd.get(attributes));
        @Nullable Td td = Td.TABLE.find(ibv_parent_domain_init_attr.td.get(attributes));
        if (td == null && ibv_parent_domain_init_attr.td.get(attributes) != 0) {
            throw new Refused(Errno.EINVAL.number(), "td is no thread domain");
        }
        return new Pd(of, parent.domain(), parent).address();
    }

    static long op_alloc_td(long context, long attributes) {
        return new Td(Context.TABLE.at(context).address()).address();
    }

    static int op_dealloc_td(long td) {
        Td.TABLE.remove(Td.TABLE.at(td));
        return 0;
    }
}
