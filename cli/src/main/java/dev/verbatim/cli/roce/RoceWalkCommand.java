// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.Verbatim;
import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.walk.Walk;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code roce walk}. */
@Command(
        name = "walk",
        description = {
            "Does each operation once between a device of Verbatim and a soft-RoCE device, in both directions, and"
                    + " compares how it completes with what the specification says, or with what soft-RoCE was"
                    + " measured to do.",
            "Needs the agent of lab/interop/agent.c on the other machine, at the address SERVER."
        })
final class RoceWalkCommand implements Runnable {

    private static final int USUAL_PORT = 18600;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "Only cases whose name matches. Default: all.")
    private String only;

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        if (peer.isServer()) {
            throw new ParameterException(command, "walk needs SERVER, the address of the machine of the agent");
        }
        Pattern names = names(command);
        InetSocketAddress agent = peer.serverAddress(command, USUAL_PORT);
        peer.runOnFabric(command, (rdma, out) -> walk(rdma, agent, names, out));
    }

    private void walk(Verbatim rdma, InetSocketAddress agent, Pattern names, PrintWriter out) {
        int failures = Walk.withAgent(() -> rdma.open("walk"), agent, peer.patience())
                .run(
                        names,
                        (name, outcome, detail) ->
                                RocePeerOptions.print(out, String.format("%-52s %-8s %s", name, outcome, detail)));
        if (failures > 0) {
            throw new InteropException(failures + (failures == 1 ? " case" : " cases") + " failed");
        }
    }

    private Pattern names(CommandLine command) {
        try {
            return Pattern.compile(only);
        } catch (PatternSyntaxException e) {
            throw new ParameterException(command, "--only=" + only + " is no pattern: " + e.getDescription(), e);
        }
    }
}
