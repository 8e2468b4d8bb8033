// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LogCapture;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.SabotagedFabric;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Octets;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of a step of the lane that throws an Error, wherever it does, on every lane: it ends the work of one queue pair,
 * or of the device, and nothing waits for ever.
 */
@Timeout(600)
public abstract class StepFailureContract {

    private static final int SENDS = 4;
    private static final int RECEIVES = 2;

    /** 8 us, once: the timer expires soon. */
    private static final RcConnection HASTY = RcConnection.USUAL.withRetries(1, 1, 1, 1);

    /** Two devices that may meet, and what carries their packets. */
    protected interface World extends AutoCloseable {

        /** Opens the device of that name; of two, the first is "left". */
        Device open(String name, @Nullable Tap tap);

        /** What may be told to fail in that device. */
        SabotagedFabric fabricOf(Device device);

        /** They can reach each other. */
        default void meet() {}

        @Override
        void close();
    }

    /** Each step that fails is logged. */
    private static LogCapture log;

    @AutoClose
    private World world;

    private Side left;
    private Side right;
    private int toldTap;

    @BeforeAll
    static void capture() {
        log = new LogCapture("dev.verbatim");
    }

    @AfterAll
    static void release() {
        log.close();
    }

    /** Whether payloads are put where they belong before their packet is there. */
    protected boolean lands() {
        return false;
    }

    /** A world without devices. */
    protected abstract World world();

    @BeforeEach
    void begin() {
        world = world();
    }

    private void open(QpType type, @Nullable Tap tap) {
        Device near = world.open("left", tap);
        Device far = world.open("right", tap);
        world.meet();
        left = new Side(near, QpCapabilities.USUAL, null, type);
        right = new Side(far, QpCapabilities.USUAL, null, type);
    }

    private void openRc() {
        open(QpType.RC, event -> toldTap++);
    }

    private void sabotage(Side victim, String step, String call, boolean again) {
        world.fabricOf(victim.device).sabotage(victim.device.gid(), step, call, again);
    }

    private void post(Side side) {
        for (int i = 0; i < SENDS; i++) {
            side.qp.postSend(SendWorkRequest.write(i, right.address(0), right.rkey(), left.sge(0, 8)));
        }
    }

    private static void postReceives(Side side) {
        for (int i = 0; i < RECEIVES; i++) {
            side.qp.postRecv(ReceiveWorkRequest.of(100 + i));
        }
    }

    /** Polls what completes until it is as many. */
    private List<WorkCompletion> poll(CompletionQueue cq, int count) {
        List<WorkCompletion> all = pollOnly(cq, count);
        assertThat(cq.poll(1)).isEmpty();
        return all;
    }

    /** The same for a queue that is broken, which refuses a look behind its last completion. */
    private static List<WorkCompletion> pollOnly(CompletionQueue cq, int count) {
        List<WorkCompletion> all = new ArrayList<>();
        Await.until("completions=" + count, () -> {
            all.addAll(cq.poll(1));
            return all.size() >= count;
        });
        return all;
    }

    /** Everything that was posted has completed; what was not done before was flushed for the Error, and an event tells it. */
    private void assertEnded(Side victim, int sends) {
        assertEnded(victim, sends, WcStatus.WR_FLUSH_ERR);
    }

    /** The same, where the first request that was not done has a status of its own. */
    private void assertEnded(Side victim, int sends, WcStatus firstFailure) {
        List<WorkCompletion> sent = poll(victim.sendCq, sends);
        assertThat(sent).extracting(WorkCompletion::id).containsExactlyElementsOf(ids(0, sends));
        List<WorkCompletion> failed =
                sent.stream().filter(each -> !each.isSuccess()).toList();
        failed.stream().limit(1).forEach(each -> assertTold(each, firstFailure));
        failed.stream().skip(1).forEach(each -> assertTold(each, WcStatus.WR_FLUSH_ERR));
        List<WorkCompletion> received = poll(victim.recvCq, RECEIVES);
        assertThat(received).extracting(WorkCompletion::id).containsExactlyElementsOf(ids(100, RECEIVES));
        received.forEach(each -> assertTold(each, WcStatus.WR_FLUSH_ERR));
        assertThat(victim.qp.state()).isEqualTo(QpState.ERR);
        AsyncEvent event = event(victim.device, EventType.QP_FATAL);
        assertThat(event.queuePair()).isEqualTo(victim.qp);
        assertThat(String.valueOf(event.refusal())).contains("FakeError").contains("AE-02");
        event.acknowledge();
        assertThat(world.fabricOf(victim.device).thrown()).isPositive();
    }

    private static List<Long> ids(long first, int count) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(first + i);
        }
        return ids;
    }

    private static void assertTold(WorkCompletion completion, WcStatus status) {
        assertThat(completion.status()).isEqualTo(status);
        assertThat(completion.explanation()).contains("FakeError");
    }

    private static AsyncEvent event(Device device, EventType type) {
        List<AsyncEvent> events = new ArrayList<>();
        Await.until("event " + type, () -> {
            AsyncEvent event = device.pollAsyncEvent();
            if (event != null) {
                events.add(event);
            }
            return event != null && event.type() == type;
        });
        return events.get(events.size() - 1);
    }

    /** The lane goes on: other queue pairs of the two devices have what they ask. */
    private void assertOthersGoOn() {
        QueuePair near = left.newQueuePair();
        QueuePair far = right.newQueuePair();
        world.fabricOf(left.device).relent();
        world.fabricOf(right.device).relent();
        RcConnection.USUAL.join(near, far);
        near.postSend(SendWorkRequest.write(77, right.address(0), right.rkey(), left.sge(0, 8)));
        assertThat(poll(left.sendCq, 1)).allMatch(WorkCompletion::isSuccess);
    }

    @ParameterizedTest
    @CsvSource({"pull, nowNanos, false", "pull, nowNanos, true", "receive, nowNanos, false", "receive, nowNanos, true"})
    @Rule({"AE-02", "QP-22"})
    void errorInATurnOrAnArrivalEndsTheQueuePair(String step, String call, boolean again) {
        openRc();
        RcConnection.USUAL.join(left.qp, right.qp);
        postReceives(left);
        sabotage(left, step, call, again);
        post(left);
        assertEnded(left, SENDS);
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"AE-02", "QP-22"})
    void errorInAResponderEndsItsQueuePair(boolean again) {
        openRc();
        HASTY.join(left.qp, right.qp);
        postReceives(right);
        sabotage(right, "receive", "nowNanos", again);
        post(left);
        assertEnded(right, 0);
        poll(left.sendCq, SENDS);
        assertOthersGoOn();
    }

    @Test
    @Rule({"AE-02", "QP-22"})
    @LongTest
    void errorWhileAPlaceForAPayloadIsSoughtEndsTheQueuePair() {
        assumeTrue(lands());
        open(QpType.RC, null);
        // Its WRITEs are to be acknowledged for as long as it takes, on a busy machine, too.
        RcConnection.USUAL.join(left.qp, right.qp);
        postReceives(right);
        sabotage(right, "land", "defers", true);
        poll(left.sendCq, writeUntilThrown(world.fabricOf(right.device)));
        assertEnded(right, 0);
        assertOthersGoOn();
    }

    /**
     * Keeps the queue pair busy with WRITEs of a region each until one has its place sought: those that come in one read have theirs
     * at once. Returns how many have not completed.
     */
    private int writeUntilThrown(SabotagedFabric fabric) {
        int[] outstanding = {0};
        Await.until("a place is sought", () -> {
            for (; outstanding[0] < SENDS; outstanding[0]++) {
                left.qp.postSend(
                        SendWorkRequest.write(0, right.address(0), right.rkey(), left.sge(0, Side.REGION_BYTES)));
            }
            outstanding[0] -= left.sendCq.poll(SENDS).size();
            return fabric.thrown() > 0;
        });
        return outstanding[0];
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"AE-02", "QP-22"})
    void errorInATimerEndsTheQueuePair(boolean again) {
        openRc();
        // Nobody answers.
        HASTY.readyToReceive(left.qp, RcConnection.Endpoint.of(right.qp, 0));
        HASTY.readyToSend(left.qp, 0);
        postReceives(left);
        sabotage(left, "expire", "nowNanos", again);
        post(left);
        assertEnded(left, SENDS);
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"AE-02", "QP-22"})
    void errorInADoorbellIsNoReasonToFlushNothing(boolean again) {
        openRc();
        RcConnection.USUAL.join(left.qp, right.qp);
        left.qp.modify(new QpAttributes().state(QpState.ERR));
        sabotage(left, "WorkDoorbell.answer", "nowNanos", again);
        post(left);
        poll(left.sendCq, SENDS).forEach(each -> assertThat(each.status()).isEqualTo(WcStatus.WR_FLUSH_ERR));
        assertThat(String.valueOf(event(left.device, EventType.QP_FATAL).refusal()))
                .contains("FakeError");
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"AE-02", "QP-22"})
    void errorBehindTheStepOfASendEndsTheQueuePair(boolean again) {
        open(QpType.UC, event -> toldTap++);
        UcConnection.USUAL.join(left.qp, right.qp);
        postReceives(left);
        sabotage(left, "UnacknowledgedSends.completeSent", "nowNanos", again);
        post(left);
        assertEnded(left, SENDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"AE-02", "QP-22"})
    void errorOfWhoeverChoosesEndsTheQueuePair(boolean again) {
        openRc();
        HASTY.readyToReceive(right.qp, RcConnection.Endpoint.of(left.qp, 0));
        HASTY.readyToReceive(left.qp, RcConnection.Endpoint.of(right.qp, 0));
        HASTY.readyToSend(left.qp, 0);
        postReceives(right);
        // The first packet in RTR is an event, unless it is chosen otherwise.
        sabotage(right, "receive", "choices", again);
        post(left);
        assertEnded(right, 0);
        poll(left.sendCq, SENDS);
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"AE-02", "QP-22"})
    void errorOfWhoeverDelaysCompletionsLosesNone(boolean again) {
        openRc();
        RcConnection.USUAL.join(left.qp, right.qp);
        postReceives(left);
        sabotage(left, "complete", "defers", again);
        post(left);
        // The second Error comes while its memory is shown: then nobody knows what programs see of it.
        assertEnded(left, SENDS, again ? WcStatus.FATAL_ERR : WcStatus.WR_FLUSH_ERR);
        assertOthersGoOn();
    }

    @Test
    @Rule({"AE-12", "WC-42"})
    void errorInAStepOfNoQueuePairEndsTheDevice() {
        openRc();
        RcConnection.USUAL.join(left.qp, right.qp);
        postReceives(left);
        // These wait, since the right has no receive.
        left.qp.postSend(SendWorkRequest.send(0, left.sge(0, 8)));
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, 8)));
        sabotage(left, "ManagementQueuePair.fill", "nowNanos", false);
        ManagementPort management = ((ManagedDevice) left.device).managementPort();
        management
                .lane()
                .call(() -> management.send(right.device.gid(), Octets.of(new byte[ManagementPort.MAD_BYTES])));
        AsyncEvent event = event(left.device, EventType.DEVICE_FATAL);
        assertThat(String.valueOf(event.refusal())).contains("FakeError").contains("AE-12");
        // The event may be read while the lane still flushes.
        List<WorkCompletion> sent = pollOnly(left.sendCq, 2);
        assertThat(sent).extracting(WorkCompletion::id).containsExactly(0L, 1L);
        assertTold(sent.get(0), WcStatus.FATAL_ERR);
        assertTold(sent.get(1), WcStatus.WR_FLUSH_ERR);
        assertThat(pollOnly(left.recvCq, RECEIVES))
                .extracting(WorkCompletion::id)
                .containsExactlyElementsOf(ids(100, RECEIVES));
        assertThatThrownBy(() -> left.qp.postSend(SendWorkRequest.send(3, left.sge(0, 8))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EIO")
                .hasMessageContaining("FakeError");
    }

    /** Its timers belong to no queue pair either. A peer that has failed does not answer, so that they expire. */
    @Test
    @Rule({"AE-12", "CM-12"})
    void errorInATimerOfTheConnectionManagerEndsTheDevice() {
        openRc();
        right.device.inject(EventType.DEVICE_FATAL);
        CmOptions hasty = CmOptions.USUAL.withPacketLifeTime(0).withResponseTimeout(0);
        CmId id = EventChannel.open(left.device, hasty).createId();
        sabotage(left, "CmConnection.expired", "nowNanos", false);
        id.resolveAndConnect(
                new InetSocketAddress(right.device.gid().toInetAddress(), 7),
                Duration.ofSeconds(5),
                ConnectionParameters.USUAL.withQpNumber(left.qp.number()));
        AsyncEvent event = event(left.device, EventType.DEVICE_FATAL);
        assertThat(String.valueOf(event.refusal())).contains("FakeError").contains("AE-12");
        event.acknowledge();
    }

    @Test
    @Rule("AE-20")
    void errorOfATapHarmsNobodyAndIsThrownWhenAllIsOver() {
        List<TraceEvent> told = new ArrayList<>();
        open(QpType.RC, event -> {
            told.add(event);
            throw new AssertionError("tap of " + told.size());
        });
        RcConnection.USUAL.join(left.qp, right.qp);
        post(left);
        assertThat(poll(left.sendCq, SENDS)).allMatch(WorkCompletion::isSuccess);
        assertThat(told).hasSizeGreaterThan(SENDS);
        assertThatThrownBy(world::close)
                .isInstanceOf(AssertionError.class)
                .hasMessage("tap of 1")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .anyMatch(each -> String.valueOf(each).contains(" times")));
        begin();
    }
}
