// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A memory window's life in the words of NetworkDirect, from Listen to Disconnect, and what the devices do below. */
final class NetworkDirectDemo {

    /** Bytes of each side's region. */
    static final int REGION_BYTES = 4096;

    private static final int OUTBOX = 0;
    private static final int INBOX = 512;
    private static final int WINDOW = 1024;
    private static final int WINDOW_BYTES = 64;
    private static final int OFFER_BYTES = 16;
    private static final int READS = 4;
    private static final String WRITTEN = "Written with the received token";
    private static final String DONE = "Window not needed.";
    private static final String REFUSED = "These bytes must not arrive.";

    private final NetworkDirectSide left;
    private final NetworkDirectSide right;
    private final StepRecorder recorder;
    private final DemoReport report;
    private int number;

    NetworkDirectDemo(NetworkDirectSide left, NetworkDirectSide right, StepRecorder recorder, DemoReport report) {
        this.left = left;
        this.right = right;
        this.recorder = recorder;
        this.report = report;
    }

    /** Executes all steps; returns whether all ended as expected. */
    boolean tell(String how, InetSocketAddress address) {
        List<StepOutcome> connected = connect(address);
        report.connected(how, List.of(), tearOut(0));
        boolean asExpected = connected.stream().allMatch(StepOutcome::asExpected)
                && step(
                        Diagram.RIGHT,
                        "Bind: right grants access to 64 bytes of its region through a memory window",
                        this::bind)
                && step(Diagram.RIGHT, "Send: right sends the address and the token of the window", this::advertisement)
                && step(Diagram.LEFT, "Write through the window, with the token", this::write)
                && step(Diagram.LEFT, "Read through the window, with the same token", this::read)
                && step(Diagram.LEFT, "Send: left no longer needs the window", this::done)
                && step(Diagram.RIGHT, "Invalidate: right invalidates the window; no packet is sent", this::invalidate)
                && step(
                        Diagram.LEFT,
                        "Write with the stale token: ACCESS_VIOLATION; right's receive is CANCELED",
                        this::writeTooLate)
                && step(Diagram.LEFT, "Disconnect: ends the broken connection on both sides", this::disconnect);
        report.closing(asExpected);
        return asExpected;
    }

    private boolean step(String actor, String title, Supplier<List<StepOutcome>> play) {
        number++;
        DemoStep step = new DemoStep(number, actor, title, "", null, false, WcStatus.SUCCESS, null, List.of());
        report.begun(step);
        List<StepOutcome> outcomes = play.get();
        report.ended(step, tearOut(number), outcomes);
        return outcomes.stream().allMatch(StepOutcome::asExpected);
    }

    private List<NarratedEvent> tearOut(int step) {
        left.settle();
        right.settle();
        return recorder.tearOut(step);
    }

    private List<StepOutcome> connect(InetSocketAddress address) {
        left.register();
        right.register();
        NdListener listener = right.adapter().createListener(right.file());
        right.does("Listener.Bind", () -> listener.bind(address));
        right.does("Listener.Listen(backlog 1)", () -> listener.listen(1));
        InetSocketAddress[] there = new InetSocketAddress[1];
        NdStatus unused = listener.getLocalAddress(there, new NdSize());
        Supplier<NdStatus> requested = right.begin(
                "Listener.GetConnectionRequest",
                listener,
                overlapped -> listener.getConnectionRequest(right.connector(), overlapped));
        left.does("Connector.Bind", () -> left.connector().bind(left.ownAddress(0)));
        Supplier<NdStatus> connected = left.begin(
                "Connector.Connect(reads " + READS + " in, " + READS + " out)",
                left.connector(),
                overlapped -> left.connector().connect(left.qp(), there[0], READS, READS, null, overlapped));
        List<NdStatus> ends = new ArrayList<>(List.of(requested.get()));
        Supplier<NdStatus> accepted = right.begin(
                "Connector.Accept(reads " + READS + " in, " + READS + " out)",
                right.connector(),
                overlapped -> right.connector().accept(right.qp(), READS, READS, null, overlapped));
        ends.add(connected.get());
        ends.add(left.begin("Connector.CompleteConnect", left.connector(), left.connector()::completeConnect)
                .get());
        ends.add(accepted.get());
        listener.release();
        return List.of(new StepOutcome(
                right.name(), ends.stream().allMatch(NdStatus::isSuccess), List.of("connected: " + ends)));
    }

    private List<StepOutcome> bind() {
        right.does(
                "QueuePair.Bind(64 B, ALLOW_READ, ALLOW_WRITE)",
                () -> right.qp()
                        .bind(
                                "bind",
                                right.region(),
                                right.window(),
                                right.region().addressOf(WINDOW),
                                WINDOW_BYTES,
                                NdOpFlags.ALLOW_READ | NdOpFlags.ALLOW_WRITE));
        return List.of(didNothing(left), ended(right, right.result(), NdStatus.SUCCESS));
    }

    private List<StepOutcome> advertisement() {
        receive(left);
        right.bytes()
                .putLong(OUTBOX, right.region().addressOf(WINDOW))
                .putInt(OUTBOX + Long.BYTES, right.window().getRemoteToken());
        right.does("QueuePair.Send(16 B)", () -> right.qp().send("send", right.sge(OUTBOX, OFFER_BYTES), 0));
        StepOutcome sent = ended(right, right.result(), NdStatus.SUCCESS);
        return List.of(ended(left, left.result(), NdStatus.SUCCESS, "the token is " + token()), sent);
    }

    private static void receive(NetworkDirectSide side) {
        side.does("QueuePair.Receive", () -> side.qp().receive("receive", side.sge(INBOX, WINDOW_BYTES)));
    }

    private String token() {
        return String.format(
                Locale.ROOT, "0x%08x, in network byte order", left.bytes().getInt(INBOX + Long.BYTES));
    }

    private NdStatus writeThrough(String text) {
        left.put(OUTBOX, text);
        ByteBuffer advertisement = left.bytes();
        return left.call(
                "QueuePair.Write(" + text.length() + " B)",
                () -> left.qp()
                        .write(
                                "write",
                                left.sge(OUTBOX, text.length()),
                                advertisement.getLong(INBOX),
                                advertisement.getInt(INBOX + Long.BYTES),
                                0));
    }

    private List<StepOutcome> write() {
        NdStatus unused = writeThrough(WRITTEN);
        StepOutcome written = ended(left, left.result(), NdStatus.SUCCESS);
        return List.of(written, didNothing(right).and(holds(right, WINDOW, WRITTEN)));
    }

    private List<StepOutcome> read() {
        ByteBuffer advertisement = left.bytes();
        left.does(
                "QueuePair.Read(" + WRITTEN.length() + " B)",
                () -> left.qp()
                        .read(
                                "read",
                                left.sge(WINDOW, WRITTEN.length()),
                                advertisement.getLong(INBOX),
                                advertisement.getInt(INBOX + Long.BYTES),
                                0));
        StepOutcome read = ended(left, left.result(), NdStatus.SUCCESS);
        return List.of(read.and(holds(left, WINDOW, WRITTEN)), didNothing(right));
    }

    private List<StepOutcome> done() {
        receive(right);
        left.put(OUTBOX, DONE);
        left.does(
                "QueuePair.Send(" + DONE.length() + " B)",
                () -> left.qp().send("send", left.sge(OUTBOX, DONE.length()), 0));
        StepOutcome sent = ended(left, left.result(), NdStatus.SUCCESS);
        StepOutcome received = ended(right, right.result(), NdStatus.SUCCESS);
        return List.of(sent, received.and(holds(right, INBOX, DONE)));
    }

    private List<StepOutcome> invalidate() {
        right.does("QueuePair.Invalidate", () -> right.qp().invalidate("invalidate", right.window(), 0));
        return List.of(didNothing(left), ended(right, right.result(), NdStatus.SUCCESS));
    }

    private List<StepOutcome> writeTooLate() {
        receive(right);
        NdStatus unused = writeThrough(REFUSED);
        StepOutcome refused = ended(left, left.result(), NdStatus.ACCESS_VIOLATION);
        StepOutcome cancelled = ended(right, right.result(), NdStatus.CANCELED);
        return List.of(refused, cancelled.and(holds(right, WINDOW, WRITTEN)));
    }

    private List<StepOutcome> disconnect() {
        Supplier<NdStatus> told =
                right.begin("Connector.NotifyDisconnect", right.connector(), right.connector()::notifyDisconnect);
        Supplier<NdStatus> ended = left.begin("Connector.Disconnect", left.connector(), left.connector()::disconnect);
        NdStatus heard = told.get();
        NdStatus agreed = right.begin("Connector.Disconnect", right.connector(), right.connector()::disconnect)
                .get();
        NdStatus over = ended.get();
        return List.of(
                new StepOutcome(
                        left.name(),
                        over.isSuccess(),
                        List.of(StepOutcome.seen("Disconnect:", over, NdStatus.SUCCESS))),
                new StepOutcome(
                        right.name(),
                        heard.equals(NdStatus.CONNECTION_DISCONNECTED) && agreed.isSuccess(),
                        List.of(
                                StepOutcome.seen("NotifyDisconnect:", heard, NdStatus.CONNECTION_DISCONNECTED),
                                StepOutcome.seen("Disconnect:", agreed, NdStatus.SUCCESS))));
    }

    private static StepOutcome didNothing(NetworkDirectSide side) {
        return new StepOutcome(side.name(), true, List.of("did nothing"));
    }

    private static StepOutcome holds(NetworkDirectSide side, int offset, String text) {
        String found = side.text(offset, text.length());
        return new StepOutcome(
                side.name(), found.equals(text), List.of(StepOutcome.seen("holds", quoted(found), quoted(text))));
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private static StepOutcome ended(
            NetworkDirectSide side, @Nullable NdResult result, NdStatus expected, String... more) {
        Object got = result == null ? "nothing" : result.status();
        List<String> observed = new ArrayList<>(List.of(StepOutcome.seen("got", got, expected)));
        if (result != null && !result.explanation().isEmpty()) {
            observed.add(result.explanation());
        }
        observed.addAll(List.of(more));
        return new StepOutcome(side.name(), expected.equals(got), observed);
    }
}
