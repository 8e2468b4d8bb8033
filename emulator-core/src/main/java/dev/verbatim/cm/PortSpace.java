// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.QpType;

/** The name spaces of port numbers ({@code enum rdma_port_space}); a port can be used once in each (CM-02). */
public enum PortSpace {
    /** Reliable connections: RC queue pairs. */
    TCP(0x0106, QpType.RC),

    /** Datagrams: UD queue pairs. Connecting returns number and Q_Key of the peer's queue pair (SIDR). */
    UDP(0x0111, QpType.UD),

    /** Reliable connections, too, with ports of their own. */
    IB(0x013f, QpType.RC);

    private static final int PORT_BITS = 16;

    private final int number;
    private final QpType qpType;

    PortSpace(int number, QpType qpType) {
        this.number = number;
        this.qpType = qpType;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }

    /** The type of its identifiers' queue pairs. */
    public QpType qpType() {
        return qpType;
    }

    /** The service ID of a port: port space x 65536 + port. */
    long serviceId(int port) {
        return (long) number << PORT_BITS | port;
    }
}
