// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionException;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Left's process: calls a {@link DemoServer} and leads it through the script. */
public final class DemoClient {

    private DemoClient() {}

    /**
     * Calls, and holds the demo.
     *
     * @param address where the host listens
     * @param carrier is closed in the end
     * @param source completes what this process sees
     * @return whether everything was as the script says
     * @throws dev.verbatim.verbs.VerbsException if no program answers there, if it is not verbatim serve, or if the connection is lost
     */
    public static boolean call(
            InetSocketAddress address,
            DemoCarrier carrier,
            List<DemoStep> script,
            EventSource source,
            DemoReport report) {
        return call(address, carrier, script, event -> {}, source, report);
    }

    /** Does the same with {@link NettyOptions#defaults()}, and shows {@code tap} what the left device does. */
    public static boolean call(
            InetSocketAddress address, List<DemoStep> script, Tap tap, EventSource source, DemoReport report) {
        return call(address, DemoCarrier.tcp(NettyOptions.defaults()), script, tap, source, report);
    }

    private static boolean call(
            InetSocketAddress address,
            DemoCarrier carrier,
            List<DemoStep> script,
            Tap tap,
            EventSource source,
            DemoReport report) {
        StepRecorder recorder = new StepRecorder();
        boolean asExpected;
        try (Verbatim rdma = Verbatim.over(carrier.fabric()).tap(recorder.and(tap))) {
            DemoEndpoint left = new DemoEndpoint(rdma.open(Diagram.LEFT), new AddressSpace());
            int linePort = connect(left, address);
            InetSocketAddress lines = new InetSocketAddress(address.getAddress(), linePort);
            try (OutOfBand line = OutOfBand.connect(lines, LineProtocol.PATIENCE_NANOS, carrier.lines())) {
                SideDescription own = left.description();
                LineProtocol.ask(line, LineProtocol.READY, LineProtocol.word(LineProtocol.READY, own.qpNumber()));
                report.connected(
                        how(own, left.peer(), carrier, address),
                        List.of(own, left.peer()),
                        source.complete(0, recorder.tearOut(0)));
                DemoSide here = new LocalSide(left, new ActiveConnect(left, address));
                asExpected = DemoRun.hold(script, here, new RemoteSide(line), recorder, source, report);
                LineProtocol.ask(line, LineProtocol.BYE, LineProtocol.word(LineProtocol.BYE, 0));
            }
        }
        return DemoRun.finished(asExpected, report);
    }

    /** Connects, and says why not in words that help. */
    private static int connect(DemoEndpoint left, InetSocketAddress address) {
        try {
            return left.connect(address);
        } catch (ConnectionException e) {
            throw new VerbsException(
                    e.errno(), Refusal.of(e.refusal().brokenRule(), "%s: %s", HostAndPort.of(address), why(e)));
        }
    }

    private static String why(ConnectionException failure) {
        if (failure.status() == RejectReason.INVALID_SERVICE_ID.number()) {
            return "no program accepts connections at that port; start verbatim serve there first";
        } else if (failure.status() > 0) {
            String said = new String(failure.privateData(), StandardCharsets.US_ASCII)
                    .replace('\0', ' ')
                    .strip();
            return said.isEmpty() ? failure.refusal().sentence() : "refused with the message: " + said;
        } else if (failure.errno() == Errno.ECONNREFUSED) {
            return "connection refused; start the other process first and give the port that it shows";
        } else if (failure.errno() == Errno.ETIMEDOUT) {
            return "no answer within " + DemoEndpoint.PATIENCE.toSeconds()
                    + " s; see whether it runs, and talks to another just now";
        }
        return failure.refusal().sentence().replaceFirst("^[A-Z_]+ status=-?\\d+: ", "");
    }

    /** How two processes are connected, for a reader. */
    static String how(SideDescription left, SideDescription right, DemoCarrier carrier, InetSocketAddress device) {
        return "left in process " + left.processId() + ", right in process " + right.processId() + ", "
                + carrier.words() + " " + HostAndPort.of(device);
    }
}
