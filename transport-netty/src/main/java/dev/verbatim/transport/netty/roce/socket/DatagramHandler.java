// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Handles events at the sockets of an address. On the lane. */
public interface DatagramHandler {

    /**
     * A datagram arrived.
     *
     * @param buffer big-endian, valid during the call; the datagram begins at {@link UdpSockets#headerBytes}, and the bytes before
     *     it are free
     * @param lengthBytes of the datagram; one more than the longest that is of interest stands for all that are longer
     */
    void received(InetSocketAddress from, ByteBuffer buffer, int lengthBytes);

    /** There is room for a datagram again. */
    void hasRoom();

    /** The operating system refused to send a datagram, which is lost, or to receive. */
    void failed(Throwable cause);
}
