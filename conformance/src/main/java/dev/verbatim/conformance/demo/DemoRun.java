// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.demo;

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

    private static Verbatim watched(Verbatim rdma, Tap tap, @Nullable Sanitizer sanitizer) {
        return sanitizer == null ? rdma.tap(tap) : rdma.tap(tap).sanitize(sanitizer);
    }

    /** Runs it between two devices of this JVM; returns whether all steps ended as expected. */
    static boolean inProcess(List<DemoStep> script, DemoReport report) {
        return inProcess(script, event -> {}, null, report);
    }

    /**
     * Does the same, and shows {@code tap} what both devices do.
     *
     * @param sanitizer watches them; null for none
     */
    public static boolean inProcess(List<DemoStep> script, Tap tap, @Nullable Sanitizer sanitizer, DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        try (Verbatim rdma = watched(Verbatim.inProcess(), recorder.and(tap), sanitizer)) {
            AddressSpace addresses = new AddressSpace();
            DemoEndpoint left = new DemoEndpoint(rdma.open(Diagram.LEFT), addresses);
            Device device = rdma.open(Diagram.RIGHT);
            DemoEndpoint right = new DemoEndpoint(device, addresses);
            InetSocketAddress address = new InetSocketAddress(device.gid().toInetAddress(), PORT);
            try (DemoListener listener = new DemoListener(device, address)) {
                ConnectMethod there = new ActiveConnect(left, address);
                ConnectMethod here = new PassiveConnect(right, listener);
                here.begin();
                there.complete();
                here.complete();
                report.connected(
                        "both in this process", List.of(left.description(), right.description()), recorder.tearOut(0));
                DemoScript.setTheScene(right);
                return hold(
                        script,
                        new LocalSide(left, there),
                        new LocalSide(right, here),
                        recorder,
                        EventSource.ofOneProcess(),
                        report);
            }
        }
    }

    /** Runs the demo of memory windows with the NetworkDirect API, between two devices of an in-process fabric. */
    public static boolean ofNetworkDirect(Tap tap, @Nullable Sanitizer sanitizer, DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        try (Verbatim rdma = watched(Verbatim.inProcess(), recorder.and(tap), sanitizer)) {
            Device left = rdma.open(Diagram.LEFT);
            Device right = rdma.open(Diagram.RIGHT);
            InetSocketAddress address = new InetSocketAddress(right.gid().toInetAddress(), PORT);
            return ofNetworkDirect(left, right, address, recorder, report);
        }
    }

    /** Runs the same between two devices of this JVM over TCP. */
    public static boolean ofNetworkDirectOverTcp(Tap tap, @Nullable Sanitizer sanitizer, DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        try (Verbatim here = watched(Verbatim.over(NettyFabric.open()), recorder.and(tap), sanitizer);
                Verbatim there = watched(Verbatim.over(NettyFabric.open()), recorder.and(tap), sanitizer)) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return ofNetworkDirect(here.open(Diagram.LEFT), there.open(Diagram.RIGHT), address, recorder, report);
        }
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
        report.finished(asExpected);
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
