// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code roce}: peers of programs on RoCEv2 devices. */
@Command(
        name = "roce",
        description = {
            "Opens a RoCEv2 device at a local address, as a peer of a program on a Linux soft-RoCE device, an adapter,"
                    + " or another Verbatim.",
            "Without SERVER, pingpong, rping, ucmatose, udaddy and cmtime are the server; with SERVER they are the client."
        },
        subcommands = {
            RoceCheckCommand.class,
            RocePingPongCommand.class,
            RoceRpingCommand.class,
            RoceCmatoseCommand.class,
            RoceUdaddyCommand.class,
            RoceCmTimeCommand.class,
            RoceWalkCommand.class,
            RoceCompareCommand.class
        })
public final class RoceCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing command: choose one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
