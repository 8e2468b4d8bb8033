// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.Endpoint;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.verbs.AddressSpace;
import java.net.InetSocketAddress;
import java.util.List;

/** Left's process: calls a {@link Host} and leads it through the script. */
public final class Caller {

    private Caller() {}

    /**
     * Calls, and holds the dialogue.
     *
     * @param address where the host listens
     * @param options what this end proves and asks for
     * @param chronicle completes what this process sees
     * @return whether everything was as the script says
     * @throws dev.verbatim.verbs.VerbsException if nobody answers there, who does is no host, or it vanishes
     */
    public static boolean call(
            InetSocketAddress address, NettyOptions options, List<Step> script, Chronicle chronicle, Report report) {
        return call(address, options, script, event -> {}, chronicle, report);
    }

    /** Does the same with {@link NettyOptions#defaults()}, and shows {@code tap} what the left device does. */
    public static boolean call(
            InetSocketAddress address, List<Step> script, Tap tap, Chronicle chronicle, Report report) {
        return call(address, NettyOptions.defaults(), script, tap, chronicle, report);
    }

    private static boolean call(
            InetSocketAddress address,
            NettyOptions options,
            List<Step> script,
            Tap tap,
            Chronicle chronicle,
            Report report) {
        Notebook notebook = new Notebook();
        NettyFabric fabric = NettyFabric.open(options);
        try (Verbatim rdma = Verbatim.over(fabric).tap(notebook.and(tap));
                OutOfBand line = OutOfBand.connect(address, Protocol.PATIENCE_NANOS, options)) {
            Party left = new Party(rdma.open(Diagram.LEFT), new AddressSpace());
            Endpoint hello = line.exchange(Protocol.hello(left.facts()), Protocol.PATIENCE_NANOS);
            Facts right = Protocol.facts(hello);
            InetSocketAddress device =
                    new InetSocketAddress(line.peerAddress(), (int) hello.number(Endpoint.FABRIC_PORT));
            fabric.dial(device);
            left.connect(right);
            Protocol.ask(line, Protocol.READY, Protocol.word(Protocol.READY, 0));
            report.connected(
                    how(left.facts(), right, device),
                    List.of(left.facts(), right),
                    chronicle.complete(0, notebook.tearOut(0)));
            boolean asExpected = Dialogue.hold(
                    script, new LocalActor(left, right), new RemoteActor(line), notebook, chronicle, report);
            Protocol.ask(line, Protocol.BYE, Protocol.word(Protocol.BYE, 0));
            return asExpected;
        }
    }

    /** How two processes are connected, for a reader. */
    static String how(Facts left, Facts right, InetSocketAddress device) {
        return "left in process " + left.processId() + ", right in process " + right.processId() + ", over TCP at "
                + HostAndPort.of(device);
    }
}
