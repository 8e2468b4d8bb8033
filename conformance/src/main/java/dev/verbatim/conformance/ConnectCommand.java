// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import dev.verbatim.conformance.demo.DemoClient;
import dev.verbatim.conformance.demo.DemoReport;
import dev.verbatim.conformance.demo.DemoScript;
import dev.verbatim.conformance.demo.EventSource;
import dev.verbatim.conformance.demo.HostAndPort;
import dev.verbatim.transport.netty.NettyOptions;
import java.net.InetSocketAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
    private ReportOptions reporting;

    @Mixin
    private ProtectionOptions protection;

    @Parameters(paramLabel = "HOST:PORT", description = "Address at which 'serve' listens; 'serve' prints it.")
    private String target;

    @Override
    public void run() {
        InetSocketAddress address = address();
        if (address.isUnresolved()) {
            throw new CommandFailure("host " + address.getHostString()
                    + " cannot be resolved; check its spelling, or give an IP address such as 127.0.0.1");
        }
        NettyOptions options = protection.options(spec.commandLine());
        DemoReport report = reporting.report(spec.commandLine(), false);
        CommandFailure.unless(
                DemoClient.call(address, options, DemoScript.steps(), EventSource.ofOneProcess(), report));
    }

    private InetSocketAddress address() {
        try {
            return HostAndPort.parse(target);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
