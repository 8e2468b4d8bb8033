// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes the script step by step, up to the end or to the first step that fails. */
public final class DemoRun {

    /** The number under which right listens, where devices are reached without sockets. */
    static final int PORT = 7471;

    private DemoRun() {}

    /** Runs it between two devices of this JVM; returns whether all steps ended as expected. */
    static boolean inProcess(List<DemoStep> script, DemoReport report) {
        return inProcess(script, event -> {}, null, report);
    }

    /**
     * Does the same, and shows {@code tap} what both devices do.
     *
     * @param sanitizer watches them; null for none. Its errors are neither thrown nor returned: a {@link SanitizedReport} tells them
     */
    public static boolean inProcess(List<DemoStep> script, Tap tap, @Nullable Sanitizer sanitizer, DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        boolean asExpected;
        try (DemoDevices devices = new DemoDevices(Verbatim.inProcess(), recorder.and(tap), sanitizer)) {
            AddressSpace addresses = new AddressSpace();
            Device leftDevice = devices.open(Diagram.LEFT);
            Device rightDevice = devices.open(Diagram.RIGHT);
            InetSocketAddress address = new InetSocketAddress(rightDevice.gid().toInetAddress(), PORT);
            try (DemoEndpoint left = new DemoEndpoint(leftDevice, addresses)) {
                try (DemoEndpoint right = new DemoEndpoint(rightDevice, addresses);
                        DemoListener listener = new DemoListener(rightDevice, address)) {
                    ConnectMethod there = new ActiveConnect(left, address);
                    ConnectMethod here = new PassiveConnect(right, listener);
                    here.begin();
                    there.complete();
                    here.complete();
                    report.connected(
                            "both in this process",
                            List.of(left.description(), right.description()),
                            recorder.tearOut(0));
                    DemoScript.setTheScene(right);
                    asExpected = hold(
                            script,
                            new LocalSide(left, there),
                            new LocalSide(right, here),
                            recorder,
                            EventSource.ofOneProcess(),
                            report);
                }
                // Right has ended the connection by closing its end.
                left.awaitDisconnected();
            }
        }
        return finished(asExpected, report);
    }

    /** All is closed, so that what a sanitizer finds at close is told too. */
    static boolean finished(boolean asExpected, DemoReport report) {
        report.finished(DemoEnding.of(asExpected));
        return asExpected;
    }

    /** Runs the demo of memory windows with the NetworkDirect API, between two devices of an in-process fabric. */
    public static boolean ofNetworkDirect(Tap tap, @Nullable Sanitizer sanitizer, DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        boolean asExpected;
        try (DemoDevices devices = new DemoDevices(Verbatim.inProcess(), recorder.and(tap), sanitizer)) {
            Device left = devices.open(Diagram.LEFT);
            Device right = devices.open(Diagram.RIGHT);
            InetSocketAddress address = new InetSocketAddress(right.gid().toInetAddress(), PORT);
            asExpected = ofNetworkDirect(left, right, address, recorder, report);
        }
        return finished(asExpected, report);
    }

    /** Runs the same between two devices of this JVM over TCP. */
    public static boolean ofNetworkDirectOverTcp(Tap tap, @Nullable Sanitizer sanitizer, DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        boolean asExpected;
        try (DemoDevices here = new DemoDevices(Verbatim.over(NettyFabric.open()), recorder.and(tap), sanitizer);
                DemoDevices there = new DemoDevices(Verbatim.over(NettyFabric.open()), recorder.and(tap), sanitizer)) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            asExpected = ofNetworkDirect(here.open(Diagram.LEFT), there.open(Diagram.RIGHT), address, recorder, report);
        }
        return finished(asExpected, report);
    }

    private static boolean ofNetworkDirect(
            Device left, Device right, InetSocketAddress address, StepRecorder recorder, DemoReport report) {
        AddressSpace addresses = new AddressSpace();
        NetworkDirectSide asking = new NetworkDirectSide(left, addresses, recorder);
        NetworkDirectSide asked = new NetworkDirectSide(right, addresses, recorder);
        try {
            String how = "both in this process, with the NetworkDirect API";
            return new NetworkDirectDemo(asking, asked, recorder, report).tell(how, address);
        } finally {
            asking.release();
            asked.release();
        }
    }

    /** Plays the steps between two sides that are connected; the caller closes what it opened and finishes the report. */
    static boolean hold(
            List<DemoStep> script,
            DemoSide left,
            DemoSide right,
            StepRecorder recorder,
            EventSource source,
            DemoReport report) {
        boolean asExpected = true;
        for (DemoStep step : script) {
            if (asExpected) {
                report.begun(step);
                List<StepOutcome> outcomes = play(step, left, right);
                report.ended(step, source.complete(step.number(), recorder.tearOut(step.number())), outcomes);
                asExpected = outcomes.stream().allMatch(StepOutcome::asExpected);
            }
        }
        report.closing(asExpected);
        return asExpected;
    }

    private static List<StepOutcome> play(DemoStep step, DemoSide left, DemoSide right) {
        boolean byLeft = step.actor().equals(Diagram.LEFT);
        DemoSide actor = byLeft ? left : right;
        DemoSide other = byLeft ? right : left;
        other.prepare(step);
        StepOutcome performed = actor.perform(step);
        StepOutcome concluded = other.conclude(step, performed.asExpected());
        return byLeft ? List.of(performed, concluded) : List.of(concluded, performed);
    }
}
