// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What ends a wait whose peer has gone: the last column of docs/waiting.md. */
@Timeout(600)
class LostPeerContractTest {

    private static final int PORT = 7900;

    /** What it says last arrives, although nothing of it is left. */
    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("MAD-01")
    void peerEndsTheConnectionAndIsGone(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = Wait.DISCONNECTION.at(place);
            WaitPlace.Outcome outcome =
                    place.waiting(at.within(Wait.GENEROUS), thread -> endAndClose(place.far(), at.peerEnds()));
            assertThat(outcome.thrown()).isNull();
            asserted();
        }
    }

    /** The status tells the end that the peer asks for from the loss of the peer, which would end the connection as well. */
    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("MAD-01")
    void eventChannelHasThePeersOwnEndOfTheConnection(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            EventChannel channel = EventChannel.open(place.near());
            Endpoint theirs = connected(place, channel);
            CmEvent event = eventOf(place, channel, thread -> endAndClose(place.far(), theirs::close));
            assertThat(event.type()).isEqualTo(CmEventType.DISCONNECTED);
            assertThat(event.status()).isZero();
            asserted();
        }
    }

    /** Where the network is lost instead, these have the status of a timeout; of a simulated network nobody is told anything. */
    @ParameterizedTest
    @CsvSource({
        "SIMULATION, CONNECTION, DISCONNECTED, 0",
        "SIMULATION, REQUEST_OF_PEER, REJECTED, 28",
        "SIMULATION, OWN_REQUEST, REJECTED, 4",
        "TCP, CONNECTION, DISCONNECTED, 0",
        "TCP, REQUEST_OF_PEER, REJECTED, 28",
        "TCP, OWN_REQUEST, REJECTED, 4"
    })
    @Rule({"CM-07", "CM-08"})
    void eventChannelHasTheEndOfAProgramThatLeftThisOpen(
            WaitPlace.Kind kind, LeftOpen left, CmEventType type, int status) {
        try (WaitPlace place = kind.open()) {
            EventChannel channel = EventChannel.open(place.near());
            left.by(place, channel);
            CmEvent event = eventOf(place, channel, thread -> place.farDoor().close());
            assertThat(event.type()).isEqualTo(type);
            assertThat(event.status()).isEqualTo(status);
            asserted();
        }
    }

    /** What a program may have open when it ends. */
    private enum LeftOpen {
        CONNECTION {
            @Override
            void by(WaitPlace place, EventChannel channel) {
                connected(place, channel);
            }
        },
        REQUEST_OF_PEER {
            @Override
            void by(WaitPlace place, EventChannel channel) {
                ListeningEndpoint listener = Endpoint.listen(place.far(), WaitPlace.address(place.far(), PORT), 0);
                place.together(() -> listener.getRequest(Wait.GENEROUS), () -> ask(channel, place.far()));
            }
        },
        OWN_REQUEST {
            @Override
            void by(WaitPlace place, EventChannel channel) {
                CmId listener = channel.createId();
                listener.bindAddress(WaitPlace.address(place.near(), PORT));
                listener.listen(0);
                EventChannel theirs = EventChannel.open(place.far());
                place.together(
                        () -> assertThat(next(channel).type()).isEqualTo(CmEventType.CONNECT_REQUEST),
                        () -> ask(theirs, place.near()));
            }
        };

        /** Has the far program open it towards the near one, which has this channel. */
        abstract void by(WaitPlace place, EventChannel channel);
    }

    /** Both in one step of the device, so that it cannot send in between. */
    private static void endAndClose(Device far, Runnable end) {
        ((ManagedDevice) far).managementPort().lane().call(() -> {
            end.run();
            far.closeAll();
        });
    }

    /** In a network of datagrams nobody knows. */
    @ParameterizedTest
    @EnumSource(
            value = WaitPlace.Kind.class,
            names = {"IN_PROCESS", "TCP"})
    @LongTest
    @Rule("MAD-07")
    void peerIsGone(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = Wait.DISCONNECTION.at(place);
            WaitPlace.Outcome outcome = place.waiting(
                    at.within(Wait.GENEROUS), thread -> place.far().closeAll());
            assertThat(outcome.thrown()).isNull();
            asserted();
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("QP-29")
    void requestCompletesInError(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            CompletionQueue cq = place.near().createCq(1);
            AtomicReference<WorkCompletion> completion = new AtomicReference<>();
            Runnable post = requestWithoutPeer(place, cq);
            WaitPlace.Outcome outcome = place.waiting(
                    () -> {
                        post.run();
                        completion.set(cq.awaitCompletion(Wait.GENEROUS));
                    },
                    thread -> {});
            assertThat(outcome.thrown()).isNull();
            assertThat(completion.get().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
            asserted();
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule({"QP-29", "NT-01"})
    void completionChannelHasTheEventOfTheRequestThatFails(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            CompletionChannel channel = place.near().createCompletionChannel();
            CompletionQueue cq = place.near().createCq(1, null, channel, 0);
            cq.requestNotify(false);
            AtomicReference<CompletionQueue> told = new AtomicReference<>();
            Runnable post = requestWithoutPeer(place, cq);
            WaitPlace.Outcome outcome = place.waiting(
                    () -> {
                        post.run();
                        told.set(channel.getEvent(Wait.GENEROUS).cq());
                    },
                    thread -> {});
            assertThat(outcome.thrown()).isNull();
            assertThat(told.get()).isSameAs(cq);
            assertThat(cq.poll(1)).extracting(WorkCompletion::status).containsExactly(WcStatus.RETRY_EXC_ERR);
            cq.acknowledgeEvents(1);
            asserted();
        }
    }

    /** What posts a WRITE to a peer that has gone. */
    private static Runnable requestWithoutPeer(WaitPlace place, CompletionQueue cq) {
        QueuePair qp = place.near().allocatePd().createQp(QpInitAttributes.rc(cq));
        QueuePair peer = place.far()
                .allocatePd()
                .createQp(QpInitAttributes.rc(place.far().createCq(1)));
        RcConnection.USUAL.withRetries(8, 1, 1, 12).join(qp, peer);
        MemoryRegion region = qp.pd().register(Memory.allocate(8), 0);
        place.far().closeAll();
        return () -> qp.postSend(SendWorkRequest.write(1, 4096, 1, region.sge()));
    }

    /** Over TCP the port goes down with its last peer. */
    @Test
    @Rule("AE-11")
    void portHasAnEventOverTcp() {
        try (WaitPlace place = WaitPlace.Kind.TCP.open()) {
            AtomicReference<EventType> type = new AtomicReference<>();
            WaitPlace.Outcome outcome = place.waiting(
                    () -> {
                        AsyncEvent event = place.near().getAsyncEvent(Wait.GENEROUS);
                        type.set(event.type());
                        event.acknowledge();
                    },
                    thread -> place.far().closeAll());
            assertThat(outcome.thrown()).isNull();
            assertThat(type.get()).isEqualTo(EventType.PORT_ERR);
            asserted();
        }
    }

    /** In one JVM it is known that the device is gone; of a network only that nothing comes any more. */
    @LongTest
    @ParameterizedTest
    @CsvSource({"IN_PROCESS, 0", "TCP, -110"})
    @Rule("MAD-07")
    void eventChannelHasTheEndOfTheConnection(WaitPlace.Kind kind, int status) {
        try (WaitPlace place = kind.open()) {
            EventChannel channel = EventChannel.open(place.near());
            connected(place, channel);
            CmEvent event = eventOf(place, channel, thread -> place.far().closeAll());
            assertThat(event.type()).isEqualTo(CmEventType.DISCONNECTED);
            assertThat(event.status()).isEqualTo(status);
            asserted();
        }
    }

    /** The far end of a connection whose near end is an identifier of the channel. */
    private static Endpoint connected(WaitPlace place, EventChannel channel) {
        Device far = place.far();
        ListeningEndpoint listener = Endpoint.listen(far, WaitPlace.address(far, PORT), 0);
        ProtectionDomain pd = far.allocatePd();
        AtomicReference<Endpoint> theirs = new AtomicReference<>();
        place.together(
                () -> theirs.set(listener.getRequest(Wait.GENEROUS)
                        .accept(pd, attributes(far), ConnectionParameters.USUAL, Wait.GENEROUS)),
                () -> connect(place, channel));
        return theirs.get();
    }

    /** The event that a wait ends with, acknowledged. */
    private static CmEvent eventOf(WaitPlace place, EventChannel channel, Consumer<Thread> meanwhile) {
        AtomicReference<CmEvent> event = new AtomicReference<>();
        WaitPlace.Outcome outcome = place.waiting(() -> event.set(next(channel)), meanwhile);
        assertThat(outcome.thrown()).isNull();
        return event.get();
    }

    private static void connect(WaitPlace place, EventChannel channel) {
        ask(channel, place.far());
        assertThat(next(channel).type()).isEqualTo(CmEventType.ESTABLISHED);
    }

    /** Requests a connection with that device. */
    private static void ask(EventChannel channel, Device peer) {
        CmId id = channel.createId();
        id.resolveAddress(WaitPlace.address(peer, PORT), Wait.GENEROUS);
        assertThat(next(channel).type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        id.createQp(channel.device().allocatePd(), attributes(channel.device()));
        id.resolveRoute(Wait.GENEROUS);
        assertThat(next(channel).type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        id.connect(ConnectionParameters.USUAL);
    }

    private static CmEvent next(EventChannel channel) {
        CmEvent event = channel.getEvent(Wait.GENEROUS);
        event.acknowledge();
        return event;
    }

    private static QpInitAttributes attributes(Device device) {
        return QpInitAttributes.rc(device.createCq(1));
    }

    /** The listener refuses what nobody took, or the connection is lost. */
    @LongTest
    @ParameterizedTest
    @EnumSource(
            value = WaitPlace.Kind.class,
            names = {"IN_PROCESS", "TCP"})
    @Rule("CM-06")
    void connectEnds(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = Wait.CONNECTION.at(place);
            WaitPlace.Outcome outcome = place.waiting(
                    at.within(Wait.GENEROUS), thread -> place.far().closeAll());
            assertThat(outcome.thrown()).isInstanceOf(VerbsException.class);
            assertThat(((VerbsException) outcome.thrown()).errno())
                    .isIn(Errno.ECONNREFUSED, Errno.ECONNABORTED, Errno.ETIMEDOUT);
            asserted();
        }
    }
}
