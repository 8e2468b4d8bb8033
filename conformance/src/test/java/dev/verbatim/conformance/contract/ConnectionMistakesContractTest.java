// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.conformance.contract.ConnectingSides.PORT;
import static dev.verbatim.conformance.contract.ConnectingSides.address;
import static dev.verbatim.conformance.contract.ConnectingSides.expect;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What programs do wrong with connections, on every fabric: each mistake has its own status, and nothing of it stays. */
@OnEveryFabric
class ConnectionMistakesContractTest {

    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;
    private static final Gid NOBODY = Gid.ofGuid(0x0200_dead_beef_0000L);

    @Parameter
    FabricKind fabric;

    @AutoClose
    private ConnectingSides sides;

    @BeforeEach
    void open() {
        sides = new ConnectingSides(fabric, CmOptions.USUAL);
    }

    /** A channel closes only when it has no identifiers, a domain only when it has no queue pairs. */
    private void assertNothingIsLeft(CmId... open) {
        for (CmId id : open) {
            id.destroyQp();
            id.close();
        }
        assertThat(sides.near.hasEvent()).isFalse();
        assertThat(sides.far.hasEvent()).isFalse();
        sides.near.close();
        sides.far.close();
        sides.left.qp.close();
        sides.right.qp.close();
        sides.left.region.close();
        sides.right.region.close();
        sides.left.pd.close();
        sides.right.pd.close();
    }

    @Test
    @Rule("CM-20")
    void tooMuchPrivateDataIsSentByNobodyAndTheCallMayBeMadeAgain() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        CmId asking = sides.resolved();
        assertRefused(Errno.EINVAL, "CM-20", () -> asking.connect(USUAL.withPrivateData(new byte[57])));
        asking.connect(USUAL.withPrivateData(new byte[56]));
        CmId asked = expect(sides.far, CmEventType.CONNECT_REQUEST).id();
        sides.createQp(asked);
        assertRefused(Errno.EINVAL, "CM-20", () -> asked.accept(USUAL.withPrivateData(new byte[197])));
        assertRefused(Errno.EINVAL, "CM-20", () -> asked.reject(new byte[149]));
        byte[] most = new byte[196];
        Arrays.fill(most, (byte) 7);
        asked.accept(USUAL.withPrivateData(most));
        assertThat(expect(sides.near, CmEventType.ESTABLISHED).privateData()).isEqualTo(most);
        expect(sides.far, CmEventType.ESTABLISHED);
        asking.close();
        expect(sides.far, CmEventType.DISCONNECTED);
        asking.destroyQp();
        assertNothingIsLeft(asked, listener);
    }

    @Test
    @Rule({"CM-27", "CM-28"})
    void addressAndListenerAreThereOnce() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        assertRefused(Errno.EINVAL, "CM-27", () -> listener.bindAddress(address(sides.right, PORT + 1)));
        assertRefused(Errno.EINVAL, "CM-27", () -> listener.listen(0));
        CmId second = sides.far.createId();
        assertRefused(Errno.EADDRINUSE, "CM-28", () -> second.bindAddress(address(sides.right, PORT)));
        listener.close();
        second.bindAddress(address(sides.right, PORT));
        second.listen(0);
        CmId asking = sides.connecting(USUAL);
        CmId asked = expect(sides.far, CmEventType.CONNECT_REQUEST).id();
        asked.reject();
        expect(sides.near, CmEventType.REJECTED);
        assertNothingIsLeft(asking, asked, second);
    }

    @Test
    @Rule({"CM-04", "CM-15", "CM-21", "CM-27"})
    void whoAsksNobodyIsToldWhichNobodyItIs() {
        CmId lost = sides.near.createId();
        lost.resolveAddress(new InetSocketAddress(NOBODY.toInetAddress(), PORT), Await.LIMIT);
        assertThat(expect(sides.near, CmEventType.ADDR_ERROR).status()).isEqualTo(-Errno.EHOSTUNREACH.number());
        // This one may be used again; one that was refused may not.
        lost.resolveAddress(address(sides.right, PORT), Await.LIMIT);
        expect(sides.near, CmEventType.ADDR_RESOLVED);
        CmId refused = sides.connecting(USUAL);
        CmEvent event = expect(sides.near, CmEventType.REJECTED);
        assertThat(event.rejectReason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertRefused(Errno.EINVAL, "CM-27", () -> refused.connect(USUAL));
        QueuePair qp = refused.qp();
        assertThat(qp).isNotNull();
        assertThat(qp.state()).isEqualTo(QpState.ERR);
        assertNothingIsLeft(lost, refused);
    }

    @Test
    @Rule("CM-08")
    void whoLeftCannotBeAccepted() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        CmId asking = sides.connecting(USUAL);
        CmId asked = expect(sides.far, CmEventType.CONNECT_REQUEST).id();
        sides.createQp(asked);
        asking.close();
        asking.destroyQp();
        // What he said when he left comes before this.
        CmId after = sides.connecting(USUAL);
        assertThat(expect(sides.far, CmEventType.REJECTED).id()).isSameAs(asked);
        CmId askedAfter = expect(sides.far, CmEventType.CONNECT_REQUEST).id();
        assertRefused(Errno.ECONNABORTED, "CM-08", () -> asked.accept(USUAL));
        assertRefused(Errno.ECONNABORTED, "CM-08", asked::reject);
        askedAfter.reject();
        assertThat(expect(sides.near, CmEventType.REJECTED).id()).isSameAs(after);
        assertNothingIsLeft(after, asked, askedAfter, listener);
    }

    @Test
    @Rule({"CM-15", "CM-21"})
    void whoTakesHisAnswerBackRefusesWithIt() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        CmId asking = sides.connecting(USUAL);
        CmId asked = expect(sides.far, CmEventType.CONNECT_REQUEST).id();
        asked.close();
        CmEvent event = expect(sides.near, CmEventType.REJECTED);
        assertThat(event.rejectReason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(event.privateData()).isEqualTo(new byte[148]);
        assertNothingIsLeft(asking, listener);
    }

    @Test
    @Rule("CM-29")
    void everythingMayBeClosedInAnyOrderThatItsOwnersPermit() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        CmId[] ends = sides.connected();
        CmId[] others = sides.connected();
        CmId waiting = sides.connecting(USUAL);
        // The listener first, and with it who was not shown to the application yet.
        assertRefused(Errno.EBUSY, "CM-29", sides.far::close);
        awaitRequest();
        listener.close();
        expect(sides.near, CmEventType.REJECTED);
        assertRefused(Errno.ENOENT, "CM-29", listener::close);
        // One end before its queue pair, the other after; nobody is asked whether the peer knows.
        ends[0].close();
        ends[0].destroyQp();
        expect(sides.far, CmEventType.DISCONNECTED);
        ends[1].destroyQp();
        ends[1].close();
        // Fetched and not acknowledged.
        others[0].disconnect();
        CmEvent held = sides.far.getEvent(Await.LIMIT);
        assertThat(held).isNotNull();
        assertRefused(Errno.EBUSY, "CM-29", others[1]::close);
        held.acknowledge();
        assertRefused(Errno.EINVAL, "CM-29", held::acknowledge);
        others[1].close();
        others[1].destroyQp();
        expect(sides.near, CmEventType.DISCONNECTED);
        assertNothingIsLeft(others[0], waiting);
        assertRefused(Errno.ENOENT, "CM-29", sides.near::close);
    }

    /** Until the peer's request is among the events; they stay where they are. */
    private void awaitRequest() {
        while (!sides.far.hasEvent()) {
            assertThat(sides.left.sendCq.poll(1)).isEmpty();
        }
        asserted();
    }
}
