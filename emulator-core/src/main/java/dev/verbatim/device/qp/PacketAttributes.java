// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.wire.AckTimeout;

/** What packets ask of the attributes of a queue pair, as they ask it. */
final class PacketAttributes {

    /** All that may have changed. */
    static final int ALL = QpAttributeMask.PATH_MTU
            | QpAttributeMask.DEST_QPN
            | QpAttributeMask.ACCESS_FLAGS
            | QpAttributeMask.TIMEOUT;

    int pathMtuBytes;
    int destinationQp;
    int accessFlags;
    long ackTimeoutNanos;

    /**
     * The attributes are these from now on.
     *
     * @param mask {@link QpAttributeMask} of those that may be others than before
     */
    void follow(QpAttributes attributes, int mask) {
        if ((mask & QpAttributeMask.PATH_MTU) != 0) {
            pathMtuBytes = attributes.pathMtu().bytes();
        }
        if ((mask & QpAttributeMask.DEST_QPN) != 0) {
            destinationQp = attributes.destinationQp();
        }
        if ((mask & QpAttributeMask.ACCESS_FLAGS) != 0) {
            accessFlags = attributes.accessFlags();
        }
        if ((mask & QpAttributeMask.TIMEOUT) != 0) {
            ackTimeoutNanos = AckTimeout.nanos(attributes.timeout());
        }
    }
}
