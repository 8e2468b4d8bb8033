// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.CmTime;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code roce cmtime}. */
@Command(
        name = "cmtime",
        description = "The opposite side of cmtime of rdma-core: connects and disconnects, and measures each step.")
final class RoceCmTimeCommand implements Runnable {

    private static final int USUAL_PORT = 7471;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of connections. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        if (connections < 1) {
            throw new ParameterException(command, "--connections=" + connections + " must be at least 1");
        }
        peer.run(command, (device, out) -> {
            CmTime program = new CmTime(device, connections, peer.patience(), line -> RocePeerOptions.print(out, line));
            if (peer.isServer()) {
                program.serve(peer.serverAddress(command, USUAL_PORT));
            } else {
                program.connect(peer.serverAddress(command, USUAL_PORT));
            }
        });
    }
}
