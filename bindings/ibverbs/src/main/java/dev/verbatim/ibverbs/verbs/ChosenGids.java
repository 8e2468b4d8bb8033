// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ah_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_global_route;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpAttributeMask;
import org.jspecify.annotations.Nullable;

/** What a program said of the GIDs of a path, which it is told again: the device knows each port by one GID. */
final class ChosenGids {

    private int sourceIndex;
    private @Nullable Gid destination;

    private static long route(long attributes) {
        return ibv_ah_attr.grh.of(ibv_qp_attr.ah_attr.of(attributes));
    }

    /** The attributes of the mask were changed to these. */
    synchronized void changed(long attributes, int mask) {
        boolean isGlobal = ibv_ah_attr.is_global.get(ibv_qp_attr.ah_attr.of(attributes)) != 0;
        if ((mask & QpAttributeMask.AV) != 0) {
            sourceIndex = ibv_global_route.sgid_index.get(route(attributes));
            destination = isGlobal ? Vectors.gidAt(ibv_global_route.dgid.of(route(attributes))) : null;
        }
    }

    /** Says so in attributes. */
    synchronized void write(long attributes) {
        if (destination != null) {
            ibv_global_route.sgid_index.set(route(attributes), sourceIndex);
            Vectors.putGid(destination, ibv_global_route.dgid.of(route(attributes)));
        }
    }
}
