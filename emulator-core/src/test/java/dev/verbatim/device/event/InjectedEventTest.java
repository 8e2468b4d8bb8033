// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events that a test lets happen: those of the port, and the end of the device. */
class InjectedEventTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final Side left = pair.left;
    private final Device device = pair.left.device;

    @ParameterizedTest
    @EnumSource(names = {"LID_CHANGE", "PKEY_CHANGE", "SM_CHANGE", "CLIENT_REREGISTER", "GID_CHANGE"})
    @Rule({"AE-11", "AE-20"})
    void changeOfThePortIsAnEventWithoutAnElement(EventType type) {
        device.inject(type);
        device.inject(type);
        AsyncEvent first = take(type);
        AsyncEvent second = take(type);
        assertThat(first.portNumber()).isEqualTo(1);
        assertThat(first.queuePair()).isNull();
        assertThat(first.completionQueue()).isNull();
        assertThat(first.sharedReceiveQueue()).isNull();
        assertThat(device.pollAsyncEvent()).isNull();
        first.acknowledge();
        second.acknowledge();
        assertState(left.qp, QpState.RTS);
    }

    @Test
    @Rule("AE-11")
    void portThatIsDownSaysSoUntilItIsUp() {
        device.inject(EventType.PORT_ACTIVE);
        assertThat(device.pollAsyncEvent()).as("it was up").isNull();
        device.inject(EventType.PORT_ERR);
        assertThat(device.queryPort(1).state()).isEqualTo(PortState.DOWN);
        device.inject(EventType.PORT_ERR);
        take(EventType.PORT_ERR).acknowledge();
        device.inject(EventType.PORT_ACTIVE);
        assertThat(device.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
        take(EventType.PORT_ACTIVE).acknowledge();
        assertThat(device.pollAsyncEvent()).isNull();
        asserted();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "PORT_ACTIVE",
                "PORT_ERR",
                "LID_CHANGE",
                "PKEY_CHANGE",
                "SM_CHANGE",
                "CLIENT_REREGISTER",
                "GID_CHANGE",
                "DEVICE_FATAL"
            })
    void eventOfAnElementCannotBeInjected(EventType type) {
        assertRefused(
                Errno.EINVAL, EmulatedAsyncEvent.ruleOf(type).id(), () -> device.inject(type), type.name(), "injected");
        assertThat(device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"AE-12", "WC-42", "WC-05", "WC-03"})
    void fatalErrorEndsWhatIsQueuedAndTheOldestRequestTellsWhy() {
        // The right has no receive, so these wait.
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, 8)));
        left.qp.postSend(SendWorkRequest.write(2, 0, 0, left.sge(0, 8)).unsignaled());
        left.qp.postRecv(ReceiveWorkRequest.of(3));
        QueuePair idle = left.newQueuePair();

        device.inject(EventType.DEVICE_FATAL);

        AsyncEvent event = take(EventType.DEVICE_FATAL);
        assertThat(event.portNumber()).isZero();
        assertThat(event.queuePair()).isNull();
        assertThat(event.refusal()).isNotNull();
        assertThat(device.pollAsyncEvent()).as("of its queue pairs").isNull();
        event.acknowledge();
        assertState(left.qp, QpState.ERR);
        assertState(idle, QpState.ERR);
        assertThat(left.sendCq.poll(9))
                .extracting(each -> each.id() + " " + each.status())
                .containsExactly("1 " + WcStatus.FATAL_ERR, "2 " + WcStatus.WR_FLUSH_ERR);
        assertThat(left.recvCq.poll(1))
                .extracting(each -> each.id() + " " + each.status())
                .containsExactly("3 " + WcStatus.WR_FLUSH_ERR);
        assertRefused(Errno.EIO, "WC-04", () -> left.sendCq.poll(1), "DEVICE_FATAL");
    }

    @Test
    @Rule("AE-12")
    void everyVerbOfADeadDeviceIsRefusedWithEioButThoseThatCloseIt() {
        device.inject(EventType.DEVICE_FATAL);
        assertDead(() -> device.inject(EventType.PORT_ERR));
        assertDead(device::query);
        assertDead(() -> device.queryPort(1));
        assertDead(() -> device.queryGid(1, 0));
        assertDead(() -> device.queryPkey(1, 0));
        assertDead(device::allocatePd);
        assertDead(device::createCompletionChannel);
        assertDead(() -> device.createCq(8));
        assertDead(device::openXrcDomain);
        assertDead(() -> left.pd.register(Memory.allocate(64), 0));
        assertDead(left::newQueuePair);
        assertDead(left.qp::query);
        assertDead(() -> left.qp.modify(new QpAttributes().state(QpState.RESET)));
        assertDead(() -> left.qp.postSend(SendWorkRequest.send(1)));
        assertDead(() -> left.qp.postRecv(ReceiveWorkRequest.of(1)));
        assertDead(() -> left.recvCq.requestNotify(false));
        assertRefused(Errno.EIO, "CQ-03", () -> left.recvCq.resize(8), "DEVICE_FATAL");

        left.qp.close();
        assertRefused(Errno.ENOENT, "QP-05", left.qp::query);
        left.sendCq.close();
        left.recvCq.close();
        left.region.close();
        left.pd.close();
        device.close();
    }

    @Test
    @Rule("AE-20")
    void eventsBeyondTheBoundAreDroppedAndTheOthersStayInOrder() {
        device.inject(EventType.PORT_ERR);
        for (int i = 1; i < DeviceLimits.MAX_UNREAD_ASYNC_EVENTS; i++) {
            device.inject(EventType.GID_CHANGE);
        }
        device.inject(EventType.SM_CHANGE);
        take(EventType.PORT_ERR).acknowledge();
        for (int i = 1; i < DeviceLimits.MAX_UNREAD_ASYNC_EVENTS; i++) {
            take(EventType.GID_CHANGE).acknowledge();
        }
        assertThat(device.pollAsyncEvent()).isNull();
        device.inject(EventType.LID_CHANGE);
        take(EventType.LID_CHANGE).acknowledge();
        asserted();
    }

    private static void assertDead(org.assertj.core.api.ThrowableAssert.ThrowingCallable verb) {
        assertRefused(Errno.EIO, "AE-12", verb, "DEVICE_FATAL");
    }

    private AsyncEvent take(EventType type) {
        AsyncEvent event = device.pollAsyncEvent();
        assertThat(event).as("%s", type).isNotNull();
        assertThat(event.type()).isEqualTo(type);
        return event;
    }
}
