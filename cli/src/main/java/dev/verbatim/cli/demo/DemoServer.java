// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.ConnectionData;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.transport.netty.OutOfBandListener;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.List;

/** Right's process: waits for {@link DemoClient}s and follows them through the script, one after another. */
public final class DemoServer implements AutoCloseable {

    private final List<DemoStep> script;
    private final DemoReport report;
    private final StepRecorder recorder = new StepRecorder();
    private final AddressSpace addresses = new AddressSpace();
    private final DemoCarrier carrier;
    private final InetSocketAddress lineAddress;
    private final Verbatim rdma;
    private final Device device;
    private final DemoListener listener;
    private final InetSocketAddress address;

    /**
     * Listens.
     *
     * @param address for callers; the lines of text that lead through the script take another port of the same host
     * @param carrier is closed with this
     * @param tap sees what the right device does
     * @throws VerbsException EIO if the address cannot be had; EACCES if it is not to be listened at like that
     */
    public DemoServer(
            InetSocketAddress address, DemoCarrier carrier, List<DemoStep> script, Tap tap, DemoReport report) {
        this.script = script;
        this.report = report;
        this.carrier = carrier;
        this.lineAddress = new InetSocketAddress(address.getAddress(), 0);
        this.rdma = Verbatim.over(carrier.fabric()).tap(recorder.and(tap));
        try {
            this.device = rdma.open(Diagram.RIGHT);
            this.listener = new DemoListener(device, address);
        } catch (VerbsException e) {
            rdma.close();
            throw e;
        }
        this.address =
                new InetSocketAddress(address.getAddress(), listener.address().getPort());
        report.listening(this.address, carrier.arguments());
    }

    /**
     * Waits for a caller and goes with it to the end.
     *
     * @return whether everything was as the script says, as far as it is seen from here
     * @throws VerbsException if the caller is no caller or vanishes, or if this is closed meanwhile
     */
    public boolean converse() {
        ConnectionRequest request = listener.await();
        boolean asExpected;
        try (DemoEndpoint right = new DemoEndpoint(device, addresses);
                OutOfBandListener lines = OutOfBandListener.open(lineAddress, carrier.lines())) {
            right.accept(request, lines.address().getPort());
            DemoScript.setTheScene(right);
            try (OutOfBand line = lines.accept(LineProtocol.PATIENCE_NANOS)) {
                ConnectionData ready = line.receive(LineProtocol.PATIENCE_NANOS);
                requireLeft(ready, right.peer());
                report.connected(
                        DemoClient.how(right.peer(), right.description(), carrier, address),
                        List.of(right.peer(), right.description()),
                        recorder.tearOut(0));
                line.send(ready);
                asExpected = follow(line, new LocalSide(right, new PassiveConnect(right, listener)));
            }
        } finally {
            recorder.tearOut(0);
        }
        return DemoRun.finished(asExpected, report);
    }

    private static void requireLeft(ConnectionData ready, SideDescription left) {
        if (ready.number(LineProtocol.READY) != left.qpNumber()) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "[%s] is not of qp 0x%x; the caller is no verbatim",
                    ready,
                    left.qpNumber());
        }
    }

    private boolean follow(OutOfBand line, DemoSide right) {
        int concluded = 0;
        boolean asExpected = true;
        ConnectionData asked = line.receive(LineProtocol.PATIENCE_NANOS);
        while (!asked.has(LineProtocol.BYE)) {
            if (concluded == script.size()) {
                throw VerbsException.of(
                        Errno.EINVAL, Rule.N_05, "[%s] comes after the last step; the caller is no verbatim", asked);
            }
            DemoStep step = script.get(concluded);
            if (asked.has(LineProtocol.PREPARE)) {
                report.begun(step);
                right.prepare(step);
                line.send(asked);
            } else {
                StepOutcome outcome = end(step, asked, right);
                report.ended(step, recorder.tearOut(step.number()), List.of(outcome));
                line.send(LineProtocol.ended(asked, outcome));
                asExpected &= outcome.asExpected();
                concluded++;
            }
            asked = line.receive(LineProtocol.PATIENCE_NANOS);
        }
        line.send(asked);
        boolean all = asExpected && concluded == script.size();
        report.closing(all);
        return all;
    }

    private StepOutcome end(DemoStep step, ConnectionData asked, DemoSide right) {
        if (asked.has(LineProtocol.PERFORM)) {
            report.begun(step);
            return right.perform(step);
        }
        return right.conclude(step, LineProtocol.isLeftContent(asked));
    }

    @Override
    public void close() {
        rdma.close();
    }
}
