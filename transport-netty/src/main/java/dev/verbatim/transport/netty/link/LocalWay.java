// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.wire.Packet;

/**
 * The way from one device of a fabric to another, or to itself. On the lane.
 *
 * @param from whose packets go there
 * @param to who receives them
 */
record LocalWay(LinkTable from, LinkTable to) {

    /** The packet arrives now, over the link that leads back. */
    void carry(Packet packet) {
        NettyLink back = to.backTo(from);
        if (back != null && from.isPlugged() && to.isPlugged()) {
            to.intake().receive(back, packet);
        }
    }
}
