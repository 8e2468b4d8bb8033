// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.demo.DemoCarrier;
import dev.verbatim.cli.demo.DemoReport;
import dev.verbatim.cli.demo.DemoScript;
import dev.verbatim.cli.demo.DemoServer;
import dev.verbatim.cli.demo.PrintedReport;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.roce.DemoFabricOptions;
import dev.verbatim.live.StatServer;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code serve}. */
@Command(
        name = "serve",
        description = {
            "Opens the right device of the demo and serves one 'connect' after the other until Ctrl-C. Prints what the"
                    + " right device does."
        })
final class ServeCommand implements Runnable {

    private static final int LAST_PORT = 65535;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Mixin
    private DemoFabricOptions fabrics;

    @Mixin
    private ProtectionOptions protection;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7471",
            description = {
                "TCP port at which the device listens; 0 for a free port. Over RoCEv2 the number of a service. Default:"
                        + " ${DEFAULT-VALUE}.",
                "The steps of the demo are coordinated over another free port, which 'connect' is sent."
            })
    private int port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = {
                "Local address at which to listen. Default: ${DEFAULT-VALUE}.",
                "An address that other machines can reach requires --tls-cert, --tls-key and --tls-trust, or"
                        + " --secret-file, or --open. With --fabric roce such an address requires --open."
            })
    private String bind;

    @Option(
            names = "--open",
            description =
                    "Accept peers without authentication at any --bind address. Any peer may then read and write the"
                            + " memory of the demo.")
    private boolean open;

    @Option(names = "--once", description = "Exit after the first 'connect', with 1 if a step failed.")
    private boolean once;

    @Option(names = "--parent", hidden = true, description = "Exit when this process exits.")
    private @Nullable Long parent;

    @Option(names = "--record", hidden = true, description = "Write the trace of the right device to FILE.")
    private @Nullable Path record;

    private volatile boolean stopping;

    @Override
    public void run() {
        if (port < 0 || port > LAST_PORT) {
            throw new ParameterException(spec.commandLine(), "--port=" + port + " is not in 0.." + LAST_PORT);
        }
        endWithParent();
        showCounters();
        boolean roce = fabrics.isRoce(spec.commandLine(), protection.areGiven());
        NettyOptions options =
                fabrics.tcp(protection.options(spec.commandLine())).withListeningOpenly(open);
        requireChoice(options, roce);
        DemoReport report = new PrintedReport(output, false);
        try (OpenTraces traces = TraceFiles.openAt(record);
                DemoServer host = new DemoServer(
                        new InetSocketAddress(address(), port),
                        roce ? fabrics.open(spec.commandLine(), address(), open) : DemoCarrier.tcp(options),
                        DemoScript.steps(),
                        traces,
                        report)) {
            Thread stop = new Thread(() -> stop(host), "verbatim-stop");
            Runtime.getRuntime().addShutdownHook(stop);
            serve(host);
        }
    }

    /** Lets {@code verbatim stat} read the counters, at a free port of loopback where nothing else is asked for. */
    static void showCounters() {
        if (System.getProperty(StatServer.PROPERTY) == null) {
            System.setProperty(StatServer.PROPERTY, "0");
        }
    }

    /** What the fabric would refuse, in the words of this command. */
    private void requireChoice(NettyOptions options, boolean roce) {
        if (!options.mayListen(new InetSocketAddress(address(), port))) {
            throw new CommandFailure("--bind=" + bind + " would accept peers without authentication; specify"
                    + (roce ? "" : " --tls-trust with --tls-cert and --tls-key, or --secret-file, or")
                    + " --open if every peer is trusted");
        }
    }

    private void serve(DemoServer host) {
        do {
            try {
                boolean asExpected = host.converse();
                CommandFailure.unless(asExpected || !once);
            } catch (VerbsException e) {
                if (once && !stopping) {
                    throw e;
                }
                complain(e);
            }
        } while (!once && !stopping);
    }

    /** A caller that went wrong is no reason not to wait for the next. */
    private void complain(VerbsException failure) {
        if (!stopping) {
            output.error(failure.getMessage() + "; waiting for the next connection");
        }
    }

    /** Ctrl-C: callers see closed connections at once, and the thread that serves returns. */
    private void stop(DemoServer host) {
        stopping = true;
        host.close();
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new CommandFailure("--bind=" + bind + " cannot be resolved; give an address of this machine, such as"
                    + " 127.0.0.1, or 0.0.0.0 for all");
        }
    }

    private void endWithParent() {
        if (parent == null) {
            return;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(parent);
        if (process.isEmpty()) {
            throw new CommandFailure("--parent=" + parent + " is not running; restart the demo");
        }
        CompletableFuture<Void> unused =
                process.get().onExit().thenRun(() -> Runtime.getRuntime().exit(1));
    }
}
