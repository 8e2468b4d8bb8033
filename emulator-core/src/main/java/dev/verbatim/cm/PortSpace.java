// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.QpType;

/** Name space of port numbers ({@code enum rdma_port_space}); each has its own (CM-02). */
public enum PortSpace {
    /** Reliable connections: RC queue pairs. */
    TCP(0x0106, QpType.RC),

    /** Datagrams: UD queue pairs, of which a peer tells number and Q_Key (SIDR). */
    UDP(0x0111, QpType.UD);

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

    /** What queue pairs its identifiers have. */
    public QpType qpType() {
        return qpType;
    }

    /** The service ID of a port: port space x 65536 + port. */
    long serviceId(int port) {
        return (long) number << PORT_BITS | port;
    }
}
