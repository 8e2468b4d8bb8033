// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Terminal;
import dev.verbatim.cli.roce.RoceCommand;
import dev.verbatim.cli.stat.InjectCommand;
import dev.verbatim.cli.stat.StatCommand;
import dev.verbatim.cli.studio.StudioCommand;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
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
        exitCodeList = {"0:success", "1:the command failed", "2:the command line, or a file that it names, is invalid"})
@QuickJvm
public final class Main implements Runnable, LongSupplier {
    /**
     * Part of the names that Netty gives to channels. It asks the machine for it, and warns on one that has no network; the names are of no
     * use here.
     */
    private static final String MACHINE_OF_CHANNELS = "io.netty.machineId";

    /** Property with what the user calls the command line; each launcher sets it. */
    static final String NAME = "verbatim.command";

    private static final Map<String, Class<?>> COMMANDS = commands();

    private final LongSupplier clock;

    @Spec
    private CommandSpec spec;

    private Main(LongSupplier clock) {
        this.clock = clock;
    }

    /** By name, in the order of the help. */
    static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("demo", DemoCommand.class);
        commands.put("serve", ServeCommand.class);
        commands.put("connect", ConnectCommand.class);
        commands.put("run", RunCommand.class);
        commands.put("litmus", LitmusCommand.class);
        commands.put("explore", ExploreCommand.class);
        commands.put("merge", MergeCommand.class);
        commands.put("page", PageCommand.class);
        commands.put("studio", StudioCommand.class);
        commands.put("rules", RulesCommand.class);
        commands.put("explain", ExplainCommand.class);
        commands.put("exec", ExecCommand.class);
        commands.put("devinfo", DevinfoCommand.class);
        commands.put("stat", StatCommand.class);
        commands.put("inject", InjectCommand.class);
        commands.put("capture", CaptureCommand.class);
        commands.put("bench", BenchCommand.class);
        commands.put("soak", SoakCommand.class);
        commands.put("roce", RoceCommand.class);
        return commands;
    }

    /**
     * Runs the command named by {@code args} and exits with its code, or with 1 if not all of its output could be written. A reader that
     * has closed the pipe, as {@code head} does, wanted no more of it.
     */
    public static void main(String... args) {
        if (System.getProperty(MACHINE_OF_CHANNELS) == null) {
            System.setProperty(MACHINE_OF_CHANNELS, "02:00:00:00:00:00");
        }
        String jar = System.getProperty("java.class.path", "");
        if (jar.endsWith("-standalone.jar") && System.getProperty(NAME) == null) {
            System.setProperty(NAME, "java -jar " + jar);
        }
        WriteFailures written = WriteFailures.ofStandardOutput();
        System.setOut(new PrintStream(new BufferedOutputStream(written), true));
        CommandLine line = commandLine(args);
        int code = line.execute(args);
        System.out.flush();
        try {
            if (!written.isPipeClosed()) {
                written.check();
            }
        } catch (CommandFailure e) {
            new Output(line.getOut(), line.getErr(), false).error(String.valueOf(e.getMessage()));
            code = code == ExitCode.OK ? ExitCode.SOFTWARE : code;
        }
        System.exit(code);
    }

    /**
     * Runs the command named by {@code args} within this JVM.
     *
     * @param out what the command prints
     * @param err messages, each of one line
     * @return the exit code
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine(args).setOut(out).setErr(err).execute(args);
    }

    /** With all commands, or only with the one that the arguments begin with: to read the options of all takes as long as a short one runs. */
    static CommandLine commandLine(String... args) {
        return commandLine(System::nanoTime, args);
    }

    /** @param clock nanoseconds, from anywhere, by which progress is told */
    static CommandLine commandLine(LongSupplier clock, String... args) {
        CommandLine line = new CommandLine(new Main(clock));
        String first = args.length == 0 ? "" : args[0];
        COMMANDS.forEach((name, command) -> {
            if (name.equals(first) || !COMMANDS.containsKey(first)) {
                line.addSubcommand(name, command);
            }
        });
        OneLineErrors errors = new OneLineErrors();
        return line.setUsageHelpWidth(Terminal.columns())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    /** The time by which progress is told. */
    @Override
    public long getAsLong() {
        return clock.getAsLong();
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing command: choose one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
