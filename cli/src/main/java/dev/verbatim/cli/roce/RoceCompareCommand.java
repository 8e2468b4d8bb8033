// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.Verbatim;
import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.differential.Differential;
import dev.verbatim.interop.walk.AgentNodes;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code roce compare}. */
@Command(
        name = "compare",
        description = {
            "Plays random programs between a device of Verbatim and a soft-RoCE device, and compares what they leave"
                    + " behind with what the same programs leave between devices of Verbatim.",
            "Needs the agent of lab/interop/agent.c on the other machine, at the address SERVER. Prints the programs that"
                    + " differ, and figures."
        })
final class RoceCompareCommand implements Runnable {

    private static final int USUAL_PORT = 18600;
    private static final long NANOS_IN_SECOND = 1_000_000_000L;
    private static final int MOST_DIFFERING = 100;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Option(
            names = "--operations",
            paramLabel = "NUMBER",
            defaultValue = "2000",
            description = "Play programs until they have so many operations. Default: ${DEFAULT-VALUE}.")
    private long operations;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "Seed of the programs. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--first",
            paramLabel = "NUMBER",
            defaultValue = "0",
            description = "Number of the first program. Default: ${DEFAULT-VALUE}.")
    private int first;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Begin no program after so many seconds; 0 for no limit. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        if (peer.isServer()) {
            throw new ParameterException(command, "compare needs SERVER, the address of the machine of the agent");
        }
        if (operations < 1 || first < 0 || seconds < 0) {
            throw new ParameterException(
                    command,
                    "--operations=" + operations + " must be at least 1, --first=" + first + " and --seconds=" + seconds
                            + " at least 0");
        }
        InetSocketAddress agent = peer.serverAddress(command, USUAL_PORT);
        peer.runOnFabric(command, (rdma, out) -> compare(rdma, agent, out));
    }

    private void compare(Verbatim rdma, InetSocketAddress agent, PrintWriter out) {
        long began = System.nanoTime();
        try (AgentNodes nodes = new AgentNodes(agent)) {
            Differential differential = Differential.withRxe(() -> rdma.open(Differential.OWN), nodes, peer.patience());
            rdma.tap(differential.tap());
            int number = first;
            while (differential.figures().operations() < operations
                    && differential.figures().differing() < MOST_DIFFERING
                    && (seconds == 0 || System.nanoTime() - began < seconds * NANOS_IN_SECOND)) {
                differential.run(
                        seed,
                        number++,
                        (name, differences) ->
                                differences.forEach(one -> RocePeerOptions.print(out, name + ": " + one)));
            }
            long took = (System.nanoTime() - began) / NANOS_IN_SECOND;
            RocePeerOptions.print(out, differential.figures() + "; " + took + " s");
            if (differential.figures().differing() > 0) {
                throw new InteropException(differential.figures().differing() + " programs differ; --seed=" + seed
                        + " --first=NUMBER plays one again");
            }
        }
    }
}
