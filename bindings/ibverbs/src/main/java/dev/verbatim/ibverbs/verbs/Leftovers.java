// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.VerbsException;
import java.util.function.Consumer;

/** What is destroyed with a context because the program did not: as on Linux, where it goes with the descriptor of commands. */
final class Leftovers {

    private Leftovers() {}

    /** Destroys all objects of a context, in an order in which none is used by another that is there. */
    static void destroy(long context) {
        each(Qp.TABLE, context, Qp::close);
        each(Mw.TABLE, context, mw -> Windows.op_dealloc_mw(mw.address()));
        each(Srq.TABLE, context, srq -> SharedQueues.ibv_destroy_srq(srq.address()));
        each(Cq.TABLE, context, Leftovers::closeUnacknowledged);
        each(Channel.TABLE, context, Channel::close);
        each(Mr.TABLE, context, Mr::close);
        each(Dm.TABLE, context, Dm::close);
        each(Ah.TABLE, context, ah -> AddressHandles.ibv_destroy_ah(ah.address()));
        each(Xrcd.TABLE, context, xrcd -> SharedQueues.op_close_xrcd(xrcd.address()));
        each(Pd.TABLE, context, pd -> closeParent(pd));
        each(Pd.TABLE, context, Pd::close);
        each(Td.TABLE, context, Td::close);
    }

    /** Nobody is going to acknowledge its events. */
    private static void closeUnacknowledged(Cq cq) {
        cq.acknowledge(Integer.MAX_VALUE);
        cq.close();
    }

    private static void closeParent(Pd pd) {
        if (pd.parent() != null) {
            pd.close();
        }
    }

    /** Each struct begins with its context. */
    private static <T extends Struct> void each(Table<T> table, long context, Consumer<T> destroy) {
        for (T object : table.all()) {
            if (Native.getLong(object.address()) == context) {
                try {
                    destroy.accept(object);
                } catch (VerbsException | Refused inUse) {
                    // By an object of another context, which keeps it.
                }
            }
        }
    }
}
