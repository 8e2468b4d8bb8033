// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.roce.socket.DatagramHandler;
import dev.verbatim.transport.netty.roce.socket.UdpSockets;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** An address of this machine: the MTU of its interface, and its sockets. */
final class LocalAddress {

    /** IPv6, UDP, the longest headers before a payload, and the ICRC. */
    private static final int MOST_OVERHEAD_BYTES = 40 + 8 + 12 + 24 + 4;

    private LocalAddress() {}

    /** The largest path MTU that fits the interface that has the address; the smallest if none does. */
    static int activeMtuBytes(InetAddress local) {
        int most = PathMtu.MTU_256.bytes();
        try {
            NetworkInterface way = NetworkInterface.getByInetAddress(local);
            // Linux has all of 127.0.0.0/8 at the loopback interface, which names one address only.
            int linkMtu = way == null && local.isLoopbackAddress() ? loopbackMtu() : way == null ? 0 : way.getMTU();
            for (PathMtu mtu : PathMtu.values()) {
                if (mtu.bytes() + MOST_OVERHEAD_BYTES <= linkMtu) {
                    most = mtu.bytes();
                }
            }
        } catch (IOException e) {
            return most;
        }
        return most;
    }

    private static int loopbackMtu() throws IOException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        return loopback == null ? 0 : loopback.getMTU();
    }

    /**
     * Opens the sockets of the address.
     *
     * @throws VerbsException EADDRINUSE if its port 4791 is taken, EADDRNOTAVAIL if it is not of this machine
     */
    static UdpSockets open(NettyLane lane, InetAddress local, RoceOptions options, DatagramHandler handler) {
        try {
            return options.udp().open(lane, local, options.socketSettings(local), handler);
        } catch (IOException e) {
            throw VerbsException.of(
                    SocketErrors.ofBind(local, e),
                    Rule.N_05,
                    "opening UDP port %d at address=%s failed: %s; name an address of this machine at which neither another"
                            + " device nor a loaded soft-RoCE driver has that port",
                    options.linkSettings().port(),
                    local.getHostAddress(),
                    String.valueOf(e.getMessage()));
        }
    }
}
