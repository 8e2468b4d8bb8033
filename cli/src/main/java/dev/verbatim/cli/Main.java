// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.roce.RoceCommand;
import dev.verbatim.cli.stat.StatCommand;
import dev.verbatim.cli.studio.StudioCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line {@code verbatim}. */
@Command(
        name = "verbatim",
        description =
                "An RDMA device in pure Java. Runs scenarios, checks rules, and shows what happens on the wire and in memory.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = BuildVersion.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:the command failed", "2:the command line, or a file that it names, is invalid"},
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            ConnectCommand.class,
            RunCommand.class,
            LitmusCommand.class,
            ExploreCommand.class,
            PageCommand.class,
            StudioCommand.class,
            RulesCommand.class,
            ExecCommand.class,
            DevinfoCommand.class,
            StatCommand.class,
            CaptureCommand.class,
            BenchCommand.class,
            SoakCommand.class,
            RoceCommand.class
        })
public final class Main implements Runnable {
    /**
     * Part of the names that Netty gives to channels. It asks the machine for it, and warns on one that has no network; the names are of no
     * use here.
     */
    private static final String MACHINE_OF_CHANNELS = "io.netty.machineId";

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command named by {@code args} and exits with its code. */
    public static void main(String... args) {
        if (System.getProperty(MACHINE_OF_CHANNELS) == null) {
            System.setProperty(MACHINE_OF_CHANNELS, "02:00:00:00:00:00");
        }
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        OneLineErrors errors = new OneLineErrors();
        return new CommandLine(new Main())
                .setUsageHelpWidth(Terminal.columns())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing command: choose one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
