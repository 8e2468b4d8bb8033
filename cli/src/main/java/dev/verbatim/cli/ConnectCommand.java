// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.demo.DemoCarrier;
import dev.verbatim.cli.demo.DemoClient;
import dev.verbatim.cli.demo.DemoReport;
import dev.verbatim.cli.demo.DemoScript;
import dev.verbatim.cli.demo.EventSource;
import dev.verbatim.cli.demo.HostAndPort;
import dev.verbatim.cli.demo.PrintedReport;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.roce.DemoFabricOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code connect}. */
@Command(
        name = "connect",
        description = {
            "Opens the left device of the demo, connects it to the right device of 'serve' and runs the steps of the"
                    + " demo on both. Prints what the left device does."
        })
final class ConnectCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Mixin
    private DemoFabricOptions fabrics;

    @Mixin
    private ProtectionOptions protection;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Local address of the left device, with --fabric roce. Its UDP port 4791 must be free.")
    private @Nullable String bind;

    @Parameters(paramLabel = "HOST:PORT", description = "Address at which 'serve' listens; 'serve' prints it.")
    private String target;

    @Override
    public void run() {
        InetSocketAddress address = address();
        if (address.isUnresolved()) {
            throw new CommandFailure("host " + address.getHostString()
                    + " cannot be resolved; check its spelling, or give an IP address such as 127.0.0.1");
        }
        DemoCarrier carrier = carrier(fabrics.isRoce(spec.commandLine(), protection.areGiven()));
        DemoReport report = new PrintedReport(output, false);
        CommandFailure.unless(
                DemoClient.call(address, carrier, DemoScript.steps(), EventSource.ofOneProcess(), report));
    }

    private DemoCarrier carrier(boolean roce) {
        if (roce != (bind != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    roce
                            ? "--fabric=roce requires --bind, the local address of the left device; on Linux any of"
                                    + " 127.0.0.0/8 reaches a device at 127.0.0.1"
                            : "--bind requires --fabric roce");
        }
        if (bind == null) {
            return DemoCarrier.tcp(fabrics.tcp(protection.options(spec.commandLine())));
        }
        try {
            return fabrics.open(spec.commandLine(), InetAddress.getByName(bind), false);
        } catch (UnknownHostException e) {
            throw new CommandFailure("--bind=" + bind + " cannot be resolved; give an address of this machine");
        }
    }

    private InetSocketAddress address() {
        try {
            return HostAndPort.parse(target);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
