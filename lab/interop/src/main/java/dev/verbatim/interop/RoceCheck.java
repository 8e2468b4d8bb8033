// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.ConnectionException;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.function.Consumer;

/** Says what a RoCEv2 device has, which GID its peer needs, and whether the peer's connection manager answers. */
public final class RoceCheck {

    private static final int REMOTE_IPV4_INDEX = 1;

    private final Device device;
    private final Consumer<String> lines;

    /**
     * A check.
     *
     * @param lines receives what was found
     */
    public RoceCheck(Device device, Consumer<String> lines) {
        this.device = device;
        this.lines = lines;
    }

    /** Reports interface, active path MTU and GID of the device at an address. */
    public void describe(InetAddress address) {
        lines.accept("address     " + address.getHostAddress() + ", interface " + interfaceOf(address));
        lines.accept(
                "path MTU    " + device.queryPort(1).activeMtu().bytes() + " (active); the peer's must not be larger");
        lines.accept("GID         " + device.gid() + ", type RoCE v2, index 0");
    }

    private static String interfaceOf(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return "loopback: only devices of this machine can reach it";
        }
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null ? "unknown" : found.getName() + ", MTU " + found.getMTU();
        } catch (SocketException e) {
            return "unknown: " + e.getMessage();
        }
    }

    /** Reports which GID a peer at an address has, and how to find its index there. */
    public void describePeer(InetAddress peer) {
        Gid gid = Gid.of(peer);
        lines.accept("peer's GID  " + gid + ", " + kindOf(peer)
                + "; 'ibv_devinfo -v' lists the indexes: take one of type RoCE v2, for options such as -g and -x");
    }

    private static String kindOf(InetAddress peer) {
        if (peer instanceof Inet4Address) {
            return "IPv4-mapped; with soft-RoCE usually index " + REMOTE_IPV4_INDEX;
        }
        return peer.isLinkLocalAddress()
                ? "link-local; with soft-RoCE usually index 0"
                : "IPv6; with soft-RoCE behind those of link-local and IPv4 addresses";
    }

    /**
     * Requests a connection of a peer, and reports what came back.
     *
     * @param peer address and port of a service of the connection manager; nobody needs to listen there
     * @param patience longest wait for an answer
     * @return whether the peer's connection manager answered
     */
    public boolean ask(InetSocketAddress peer, Duration patience) {
        try (ProtectionDomain pd = device.allocatePd();
                CompletionQueue cq = device.createCq(1)) {
            try (Endpoint end =
                    Endpoint.connect(device, peer, pd, QpInitAttributes.rc(cq), ConnectionParameters.USUAL, patience)) {
                lines.accept("REQ         the peer accepted the connection at port " + peer.getPort());
                end.disconnect(patience);
                return true;
            } catch (ConnectionException e) {
                return answered(e, peer);
            }
        }
    }

    private boolean answered(ConnectionException failure, InetSocketAddress peer) {
        if (failure.errno() != Errno.ECONNREFUSED) {
            lines.accept("REQ         no answer: " + failure.getMessage());
            lines.accept(
                    "            Is a RoCEv2 device at " + peer.getAddress().getHostAddress()
                            + " ('rdma link'), and its module rdma_ucm loaded? Does a firewall pass UDP port 4791 in both"
                            + " directions? Answers go to port 4791, not to the port that a request came from.");
            return false;
        }
        RejectReason reason = RejectReason.of(failure.status());
        lines.accept("REQ         the peer answered: REJ with reason " + failure.status()
                + (reason == null ? "" : ", " + reason + remedy(reason, peer)));
        return true;
    }

    private static String remedy(RejectReason reason, InetSocketAddress peer) {
        return switch (reason) {
            case INVALID_SERVICE_ID ->
                ": both devices reach each other, and no program listens at port " + peer.getPort();
            case INVALID_MTU -> ": the path MTU is larger than the peer's; make the interfaces' MTUs equal";
            case INVALID_GID -> ": the peer's device does not have that address";
            case CONSUMER_DEFINED -> ": the program at port " + peer.getPort() + " does not want this connection";
            default -> "";
        };
    }
}
