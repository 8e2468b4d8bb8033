// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.Rping;
import dev.verbatim.interop.RpingOptions;
import java.net.InetSocketAddress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code roce rping}. */
@Command(
        name = "rping",
        description = {
            "The opposite side of rping of rdma-core: for each ping the server READs memory of the client and WRITEs"
                    + " the same to other memory of the client.",
            "A server serves one client."
        })
final class RoceRpingCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Size of a ping, 32 to 65536. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of pings. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(names = "--validate", description = "Compare each ping that comes back with what was sent.")
    private boolean validate;

    @Option(names = "--verbose", description = "Print each ping.")
    private boolean verbose;

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        RpingOptions options = options(command);
        InetSocketAddress server = peer.serverAddress(command, RpingOptions.USUAL_PORT);
        peer.run(command, (device, out) -> {
            Rping program = new Rping(device, options, line -> RocePeerOptions.print(out, line));
            int pings = count;
            if (peer.isServer()) {
                pings = program.serve(server);
            } else {
                program.ping(server);
            }
            RocePeerOptions.print(out, pings + (pings == 1 ? " ping" : " pings"));
        });
    }

    private RpingOptions options(CommandLine command) {
        try {
            return new RpingOptions(size, count, validate, verbose, peer.patience());
        } catch (InteropException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }
}
