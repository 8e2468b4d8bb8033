// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.InjectedFaults;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.RoceOptions;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The sockets of a RoCEv2 carrier, and the faults that it injects. */
final class RoceCarrierOptions {

    @Option(
            names = "--transport",
            paramLabel = "TRANSPORT",
            description = "Sockets of RoCEv2: nio or epoll. Default: nio on JDK 19 and newer over IPv4, else epoll.")
    private @Nullable String transport;

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            split = ",",
            description = {
                "Inject faults into the RoCEv2 packets of both directions: drop, duplicate, delay, reorder, corrupt or cut.",
                "drop=10 affects 10 packets in 1,000; drop@ATOMIC_ACKNOWLEDGE=3 the third packet of that opcode;"
                        + " seed=5 draws others. May be repeated."
            })
    private @Nullable List<String> faults;

    @Option(
            names = "--refusal-reasons",
            description = {
                "Ask a peer that answers with a NAK for its reason, and tell others the reasons of own NAKs.",
                "Both sides have to be Verbatim and to have this option. Peers then learn what keys were bound to."
            })
    private boolean refusalReasons;

    /** The options of a carrier for devices at a local address. */
    RoceOptions at(CommandLine command, InetAddress address) {
        try {
            RoceOptions options = RoceOptions.at(address)
                    .withTransport(transport(command, address))
                    .withRefusalReasons(refusalReasons);
            return faults == null ? options : options.withFaults(InjectedFaults.parse(faults));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, (faults == null ? "" : "--fault: ") + e.getMessage(), e);
        }
    }

    /** Whether reasons of refusals are asked for and told. */
    boolean refusalReasons() {
        return refusalReasons;
    }

    /** Whether the command line has any that only RoCEv2 has. */
    boolean areGiven() {
        return transport != null || faults != null;
    }

    private SocketTransport transport(CommandLine command, InetAddress address) {
        if (transport == null) {
            boolean javaCan = Runtime.version().feature() >= 19 && address.getAddress().length == 4;
            return javaCan ? SocketTransport.NIO : SocketTransport.EPOLL;
        }
        return switch (transport.toLowerCase(Locale.ROOT)) {
            case "nio" -> SocketTransport.NIO;
            case "epoll" -> SocketTransport.EPOLL;
            default -> throw new ParameterException(command, "--transport=" + transport + " is neither nio nor epoll");
        };
    }
}
