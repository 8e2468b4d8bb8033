// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/** The service IDs of the IP addressed services: port space and port number (A11). */
public final class ServiceId {

    /** Port space RDMA_PS_TCP: connected queue pairs. */
    public static final int PORT_SPACE_TCP = 0x0106;

    /** Port space RDMA_PS_UDP: datagrams. */
    public static final int PORT_SPACE_UDP = 0x0111;

    /** Port space RDMA_PS_IB: any. */
    public static final int PORT_SPACE_IB = 0x013f;

    /** Port space RDMA_PS_IPOIB: datagrams. */
    public static final int PORT_SPACE_IPOIB = 0x0002;

    private static final int PORT_BITS = 16;
    private static final int MAX_PORT = 0xffff;

    private ServiceId() {}

    /**
     * The service at a port.
     *
     * @param portSpace 16 bits
     * @param port 16 bits
     */
    public static long of(int portSpace, int port) {
        requirePort("portSpace", portSpace);
        requirePort("port", port);
        return (long) portSpace << PORT_BITS | port;
    }

    /** The port space of a service; no known one if it is no IP addressed service. */
    public static long portSpace(long serviceId) {
        return serviceId >>> PORT_BITS;
    }

    /** The port of a service that is IP addressed. */
    public static int port(long serviceId) {
        return (int) serviceId & MAX_PORT;
    }

    private static void requirePort(String name, int value) {
        if (value < 0 || value > MAX_PORT) {
            throw new IllegalArgumentException(name + "=" + value + " is not in 0..65535; it has 16 bits");
        }
    }
}
