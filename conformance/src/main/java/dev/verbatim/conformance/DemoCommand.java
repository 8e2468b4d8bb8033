// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import dev.verbatim.conformance.demo.DemoClient;
import dev.verbatim.conformance.demo.DemoReport;
import dev.verbatim.conformance.demo.DemoRun;
import dev.verbatim.conformance.demo.DemoScript;
import dev.verbatim.conformance.demo.EventSource;
import dev.verbatim.conformance.narration.Interleaving;
import dev.verbatim.trace.Tap;
import java.net.InetSocketAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code demo}. */
@Command(
        name = "demo",
        description = {
            "Connects two devices, runs RDMA operations between them and prints what each device does: posted requests,"
                    + " packets, memory accesses, completions, the life cycle of a memory window, and the reasons of"
                    + " refusals."
        })
final class DemoCommand implements Runnable {

    private static final String TCP = "tcp";
    private static final String IN_PROCESS = "in-process";
    private static final String VERBS = "verbs";
    private static final String NETWORKDIRECT = "networkdirect";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ReportOptions options;

    @Mixin
    private TraceFiles traceFiles;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            defaultValue = "tcp",
            description = {
                "Fabric: tcp, with the right device in a second JVM; or in-process. Default: ${DEFAULT-VALUE}."
            })
    private String fabric;

    @Option(
            names = "--face",
            paramLabel = "FACE",
            defaultValue = "verbs",
            description = {
                "API that the demo uses: verbs; or networkdirect, with both devices in this process, also over"
                        + " tcp. Default: ${DEFAULT-VALUE}."
            })
    private String face;

    @Override
    public void run() {
        if (!fabric.equals(TCP) && !fabric.equals(IN_PROCESS)) {
            throw new ParameterException(
                    spec.commandLine(), "--fabric=" + fabric + " is not one of " + TCP + ", " + IN_PROCESS);
        }
        if (!face.equals(VERBS) && !face.equals(NETWORKDIRECT)) {
            throw new ParameterException(
                    spec.commandLine(), "--face=" + face + " is not one of " + VERBS + ", " + NETWORKDIRECT);
        }
        DemoReport report = options.report(spec.commandLine(), true);
        boolean tcp = fabric.equals(TCP);
        try (OpenTraces traces = traceFiles.open(tcp)) {
            if (face.equals(NETWORKDIRECT)) {
                CommandFailure.unless(
                        tcp ? DemoRun.ofNetworkDirectOverTcp(traces, report) : DemoRun.ofNetworkDirect(traces, report));
                return;
            }
            CommandFailure.unless(
                    tcp ? overTcp(traces, report) : DemoRun.inProcess(DemoScript.steps(), traces, report));
        }
    }

    private boolean overTcp(Tap traces, DemoReport report) {
        new StandardError(spec.commandLine(), options.json()).progress("starting a second JVM");
        try (SecondJvm right = SecondJvm.serve()) {
            InetSocketAddress address = right.awaitAddress();
            EventSource source = (step, own) -> Interleaving.of(own, right.awaitHappenings(step));
            return DemoClient.call(address, DemoScript.steps(), traces, source, report);
        }
    }
}
