// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.CompletionSwitches.ReceiveStatus;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the switches of completions and events change, each alone. */
class CompletionSwitchTest {

    private static final int NO_KEY = 0x77;
    private static final int QUEUE_KEY = 0x1234;

    @AutoClose
    private RcPair pair = RcPair.inProcess();

    private void open(UnaryOperator<CompletionSwitches.Builder> change) {
        open(Verbatim.inProcess(), change);
    }

    private void open(Verbatim door, UnaryOperator<CompletionSwitches.Builder> change) {
        pair.close();
        DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                .name("SWITCHED")
                .completions(change.apply(CompletionSwitches.STRICT.toBuilder()).build())
                .build();
        pair = RcPair.over(door.profile(profile), QpCapabilities.USUAL).connect(RcPair.WITHOUT_TIMER);
    }

    @Test
    @Rule({"WC-01", "WC-02"})
    void fieldsThatACompletionLeavesUndefinedHoldRubbishAndTheOthersWhatIsTrue() {
        open(switches -> switches.poisonErrorCqeFields(true));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(10, pair.right.sge(0, 64)));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(11, pair.right.sge(0, 64)));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(12, pair.right.sge(0, 4)));
        pair.left.qp.postSend(SendWorkRequest.sendWithImmediate(1, 7, pair.left.sge(0, 8)));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        pair.left.qp.postSend(SendWorkRequest.read(3, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 16)));
        pair.left.qp.postSend(SendWorkRequest.send(4, pair.left.sge(0, 8)));

        assertFields(pair.left.sent(), 1, WcOpcode.SEND, rubbish(), rubbish(), rubbish());
        assertFields(pair.left.sent(), 2, WcOpcode.SEND, rubbish(), rubbish(), rubbish());
        assertFields(pair.left.sent(), 3, WcOpcode.RDMA_READ, 16, rubbish(), rubbish());
        assertFields(pair.right.received(), 10, WcOpcode.RECV, 8, 7, WcFlags.WITH_IMM);
        assertFields(pair.right.received(), 11, WcOpcode.RECV, 8, rubbish(), 0);

        WorkCompletion failed = pair.right.received();
        assertThat(failed).hasStatus(WcStatus.LOC_LEN_ERR);
        assertFields(failed, 12, WcOpcode.TSO, rubbish(), rubbish(), rubbish());
        assertThat(failed.vendorError()).isEqualTo(WcStatus.LOC_LEN_ERR.number());
        assertThat(failed.qpNumber()).isEqualTo(pair.right.qp.number());
        assertThat(failed.explanation()).contains("WC-20");
        WorkCompletion refused = pair.left.sent();
        assertThat(refused).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertFields(refused, 4, WcOpcode.TSO, rubbish(), rubbish(), rubbish());
    }

    @Test
    @Rule({"WC-01", "WC-02"})
    void onlyADatagramNamesItsSender() {
        open(switches -> switches.poisonErrorCqeFields(true));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 64)));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received().sourceQp()).isEqualTo(rubbish());

        QueuePair[] ends = new QueuePair[2];
        for (int i = 0; i < ends.length; i++) {
            Side side = i == 0 ? pair.left : pair.right;
            ends[i] = side.pd.createQp(QpInitAttributes.ud(side.sendCq, side.recvCq, QpCapabilities.USUAL));
            new UdReadiness(QUEUE_KEY).toRts(ends[i]);
        }
        ends[1].postRecv(ReceiveWorkRequest.of(3, pair.right.sge(0, 64)));
        AddressHandle handle = pair.left.pd.createAddressHandle(AddressVector.to(pair.right.device.gid()));
        ends[0].postSend(SendWorkRequest.send(4, pair.left.sge(0, 8)).to(handle, ends[1].number(), QUEUE_KEY));
        WorkCompletion sent = pair.left.sent();
        assertThat(sent).isSuccess().hasId(4);
        assertThat(sent.sourceQp()).isEqualTo(rubbish());
        WorkCompletion received = pair.right.received();
        assertFields(received, 3, WcOpcode.RECV, 48, rubbish(), WcFlags.GRH);
        assertThat(received.sourceQp()).isEqualTo(ends[0].number());
    }

    @Test
    @Rule("WC-01")
    void completionsAreCleanAsARule() {
        pair.left.qp.postSend(SendWorkRequest.write(1, 0, NO_KEY, pair.left.sge(0, 8)));
        WorkCompletion failed = pair.left.sent();
        assertThat(failed).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertFields(failed, 1, WcOpcode.RDMA_WRITE, 0, 0, 0);
    }

    private static int rubbish() {
        return WorkCompletion.RUBBISH;
    }

    private static void assertFields(
            WorkCompletion completion, long id, WcOpcode opcode, int byteLength, int immediate, int flags) {
        assertThat(completion).hasId(id);
        assertThat(completion.opcode()).as("opcode of %s", completion).isEqualTo(opcode);
        assertThat(completion.byteLength()).as("byte_len of %s", completion).isEqualTo(byteLength);
        assertThat(completion.immediate()).as("imm_data of %s", completion).isEqualTo(immediate);
        assertThat(completion.flags()).as("wc_flags of %s", completion).isEqualTo(flags);
    }

    @Test
    @Rule("WC-20")
    void receiveThatIsTooShortSaysWhatSoftRoceSays() {
        open(switches -> switches.receiveStatus(ReceiveStatus.RXE));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 4)));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.right.received()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR).hasId(2);
    }

    @Test
    @Rule("WC-21")
    void receiveWithoutARightKeySaysWhatSoftRoceSays() {
        open(switches -> switches.receiveStatus(ReceiveStatus.RXE));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, new Sge(pair.right.address(0), 8, NO_KEY)));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.right.received()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR).hasId(2);
    }

    @Test
    @Rule("WC-24")
    void receiveOfARefusedImmediateSaysWhatSoftRoceSays() {
        open(switches -> switches.receiveStatus(ReceiveStatus.RXE));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
        pair.left.qp.postSend(
                SendWorkRequest.writeWithImmediate(2, pair.right.address(0), NO_KEY, 5, pair.left.sge(0, 8)));
        assertThat(pair.right.received()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
    }

    @Test
    @Rule({"QP-06", "QP-24"})
    void completionsOutliveTheirQueuePairAndFreeNoSlotOfItsNextLife() {
        open(switches -> switches.outliveQueuePair(true));
        QpCapabilities two = new QpCapabilities(2, 2, 1, 1, 0);
        QueuePair small = pair.left.pd.createQp(QpInitAttributes.rc(pair.left.sendCq, pair.left.recvCq, two));
        RcConnection.connect(small, pair.right.newQueuePair());
        small.postSend(List.of(write(1), write(2)));
        small.modify(new QpAttributes().state(QpState.RESET));
        RcConnection.connect(small, pair.right.newQueuePair());
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.left.sent()).isSuccess().hasId(2);

        small.postSend(List.of(write(3), write(4)));
        assertRefused(Errno.ENOMEM, "WR-14", () -> small.postSend(write(5)));
        small.close();
        assertThat(pair.left.sent()).isSuccess().hasId(3);
        WorkCompletion last = pair.left.sent();
        assertThat(last).isSuccess().hasId(4);
        assertThat(last.qpNumber()).isEqualTo(small.number());
    }

    @Test
    @Rule("NT-05")
    void eventsThatNobodyReadsCollapseToOne() {
        open(switches -> switches.eventsCollapse(true));
        CompletionChannel channel = pair.left.device.createCompletionChannel();
        QueuePair sender = onChannel(channel);
        CompletionQueue cq = sender.initAttributes().sendCq();
        for (int id = 1; id <= 3; id++) {
            cq.requestNotify(false);
            sender.postSend(write(id));
        }
        CompletionEvent event = channel.pollEvent();
        assertThat(event).isNotNull();
        assertThat(channel.pollEvent()).isNull();
        event.acknowledge();
        cq.requestNotify(false);
        sender.postSend(write(4));
        assertThat(channel.pollEvent()).as("once the first was read").isNotNull();
        assertThat(cq.poll(9)).hasSize(4);
        asserted();
    }

    @Test
    @Rule({"NT-06", "CC-02"})
    void destructionOfAQueueWaitsForItsEventsWhereTheProfileHasItSo() throws Exception {
        open(switches -> switches.blockingDestroy(true));
        CompletionChannel channel = pair.left.device.createCompletionChannel();
        QueuePair sender = onChannel(channel);
        CompletionQueue cq = sender.initAttributes().sendCq();
        cq.requestNotify(false);
        sender.postSend(write(1));
        CompletionEvent event = channel.getEvent(Await.LIMIT);
        assertRefused(Errno.EBUSY, "PD-04", cq::close);
        sender.close();

        Thread destroyer = new Thread(cq::close);
        destroyer.setDaemon(true);
        destroyer.start();
        awaitParked(destroyer);
        cq.requestNotify(false);
        event.acknowledge();
        destroyer.join(Await.LIMIT.toMillis());
        assertRefused(Errno.EINVAL, "PD-03", () -> cq.requestNotify(false));
    }

    @Test
    @Rule({"QP-06", "AE-20"})
    void destructionOfAQueuePairWaitsForItsEventsWhereTheProfileHasItSo() throws Exception {
        open(switches -> switches.blockingDestroy(true));
        AsyncEvent event = violation();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread destroyer = new Thread(() -> {
            pair.right.qp.close();
            closed.complete(null);
        });
        destroyer.setDaemon(true);
        destroyer.start();
        awaitParked(destroyer);
        assertThat(closed).isNotDone();
        event.acknowledge();
        Await.result("the closing thread", closed);
        assertRefused(Errno.ENOENT, "QP-05", pair.right.qp::query);
    }

    @Test
    @Rule({"QP-06", "AE-20"})
    void destructionWaitsForNothingInASimulation() {
        open(Verbatim.over(new LossyFabric(1, LinkFaults.NONE)), switches -> switches.blockingDestroy(true));
        AsyncEvent event = violation();
        assertRefused(Errno.EDEADLK, "QP-06", pair.right.qp::close, "1 unacknowledged events", "simulated", "SWITCHED");
        event.acknowledge();
        pair.right.qp.close();
    }

    private AsyncEvent violation() {
        pair.left.qp.postSend(SendWorkRequest.write(1, 0, NO_KEY, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        AsyncEvent event = pair.right.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        return event;
    }

    private QueuePair onChannel(CompletionChannel channel) {
        CompletionQueue cq = pair.left.device.createCq(64, null, channel, 0);
        QueuePair sender = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        RcConnection.connect(sender, pair.right.newQueuePair());
        return sender;
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(thread.isAlive()).isTrue();
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }
}
