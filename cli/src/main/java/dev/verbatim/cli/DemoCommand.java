// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.demo.DemoCaptions;
import dev.verbatim.cli.demo.DemoClient;
import dev.verbatim.cli.demo.DemoReport;
import dev.verbatim.cli.demo.DemoRun;
import dev.verbatim.cli.demo.DemoScript;
import dev.verbatim.cli.demo.DrawnReport;
import dev.verbatim.cli.demo.EventSource;
import dev.verbatim.cli.demo.PrintedReport;
import dev.verbatim.cli.demo.SanitizedReport;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.narration.Interleaving;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.TracePage;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.trace.Tap;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
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
                    + " refusals.",
            "With --fabric tcp and --face verbs, --trace and --capture record the left device only: the right one is"
                    + " in another JVM."
        })
final class DemoCommand implements Runnable {

    private static final String TCP = "tcp";
    private static final String IN_PROCESS = "in-process";
    private static final String VERBS = "verbs";
    private static final String NETWORKDIRECT = "networkdirect";

    /** What is said there is in the report. */
    private static final Logger SANITIZER_LOG = Logger.getLogger("dev.verbatim.sanitizer");

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Mixin
    private TraceFiles traceFiles;

    @Mixin
    private PageFiles pageFiles;

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

    @Option(
            names = "--sanitize",
            description = {
                "Also report mistakes that the rules permit, such as accesses that nothing orders or objects left open.",
                "Fails if an error is found; see docs/sanitizer.md.",
                "Needs both devices in this process: --fabric in-process or --face networkdirect."
            })
    private boolean sanitize;

    private final Supplier<Sanitizer> sanitizers;

    DemoCommand() {
        this(Sanitizer::withSites);
    }

    /** @param sanitizers make what watches the devices, where that is wanted */
    DemoCommand(Supplier<Sanitizer> sanitizers) {
        this.sanitizers = sanitizers;
    }

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
        boolean tcp = fabric.equals(TCP);
        boolean networkDirect = face.equals(NETWORKDIRECT);
        if (sanitize && tcp && !networkDirect) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sanitize needs both devices in this process; use --fabric in-process or --face networkdirect");
        }
        Sanitizer sanitizer = sanitize ? sanitizers.get() : null;
        SANITIZER_LOG.setLevel(sanitize ? Level.OFF : null);
        DemoReport report = new PrintedReport(output, true);
        try (OpenTraces traces = traceFiles.open(tcp)) {
            boolean asExpected = pageFiles.isWanted()
                    ? drawn(tcp, networkDirect, traces, sanitizer, report)
                    : hold(tcp, networkDirect, traces, sanitizer, report, null);
            CommandFailure.unless(asExpected);
            if (sanitizer != null && !sanitizer.errors().isEmpty()) {
                throw new CommandFailure("the sanitizer found a mistake; the report says which and where");
            }
        }
    }

    /** Records both devices, and draws them. */
    private boolean drawn(
            boolean tcp, boolean networkDirect, Tap traces, @Nullable Sanitizer sanitizer, DemoReport report) {
        RunRecorder run = new RunRecorder();
        Path record = tcp && !networkDirect ? DemoRecord.create() : null;
        try {
            boolean asExpected =
                    hold(tcp, networkDirect, run.and(traces), sanitizer, new DrawnReport(run, report), record);
            RunRecorder whole = record == null ? run : DemoRecord.join(run, record);
            pageFiles.write(
                    new TracePage("Verbatim demo").about(DemoCaptions.ABOUT).add(whole));
            return asExpected;
        } finally {
            if (record != null) {
                DemoRecord.delete(record);
            }
        }
    }

    private boolean hold(
            boolean tcp,
            boolean networkDirect,
            Tap tap,
            @Nullable Sanitizer sanitizer,
            DemoReport next,
            @Nullable Path record) {
        DemoReport report = sanitizer == null ? next : new SanitizedReport(sanitizer, next);
        if (networkDirect) {
            return tcp
                    ? DemoRun.ofNetworkDirectOverTcp(tap, sanitizer, report)
                    : DemoRun.ofNetworkDirect(tap, sanitizer, report);
        }
        return tcp ? overTcp(tap, report, record) : DemoRun.inProcess(DemoScript.steps(), tap, sanitizer, report);
    }

    private boolean overTcp(Tap tap, DemoReport report, @Nullable Path record) {
        output.progress("starting a second JVM");
        try (SecondJvm right = SecondJvm.serve(record)) {
            InetSocketAddress address = right.awaitAddress();
            EventSource source = (step, own) -> Interleaving.of(own, right.awaitHappenings(step));
            return DemoClient.call(address, DemoScript.steps(), tap, source, report);
        }
    }
}
