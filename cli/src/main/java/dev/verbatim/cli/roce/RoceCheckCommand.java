// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.RoceCheck;
import dev.verbatim.transport.netty.roce.RoceSupport;
import java.net.InetSocketAddress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code roce check}. */
@Command(
        name = "check",
        description = {
            "Opens a device and prints what is needed to reach a peer: carriers of this machine, interface, active path"
                    + " MTU and GIDs. With SERVER it also sends that peer a connection request, to --port (7174), and"
                    + " prints the answer.",
            "Fails if the device cannot be opened, or the peer does not answer."
        })
final class RoceCheckCommand implements Runnable {

    private static final int USUAL_PORT = 7174;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        InetSocketAddress server = peer.serverAddress(command, USUAL_PORT);
        RoceSupport.table().forEach(row -> command.getOut().println("carrier     " + row));
        peer.run(command, (device, out) -> {
            RoceCheck check = new RoceCheck(device, line -> RocePeerOptions.print(out, line));
            check.describe(peer.localAddress());
            if (!peer.isServer()) {
                check.describePeer(server.getAddress());
                if (!check.ask(server, peer.patience())) {
                    throw new InteropException(
                            "the peer at " + server.getAddress().getHostAddress() + " did not answer");
                }
            }
        });
    }
}
