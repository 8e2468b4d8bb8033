// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.verbs.Device;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that do not answer, in virtual time: the one failure after which a connector serves again in either dialect (3.2). */
class NdTimeoutTest {

    private static final Duration LONG = Duration.ofMinutes(30);

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);

    @AutoClose
    private final Verbatim door = Verbatim.over(fabric);

    private Device near;
    private Device far;

    @BeforeEach
    void open() {
        near = door.open("near");
        far = door.open("far");
    }

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void connectToWhoDoesNotAnswerTimesOutAndIsTriedAgainWithTheSameConnector(Statuses whose) {
        NdSide client = new NdSide(near, NdProfile.REFERENCE.withStatuses(whose), NdSide.Sizes.USUAL);
        NdSide server = new NdSide(far);
        NdListener listener = server.listen(0);
        NdConnector asking = client.bound();
        assertThat(client.qp.receive("stays", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        fabric.cut(near.gid(), far.gid());
        NdOverlapped connect = new NdOverlapped();
        assertThat(asking.connect(client.qp, NdSide.addressOf(listener), 1, 1, null, connect))
                .isEqualTo(NdStatus.PENDING);
        assertThat(asking.getOverlappedResult(connect, LONG)).isEqualTo(NdStatus.IO_TIMEOUT);
        fabric.heal(near.gid(), far.gid());

        Supplier<NdStatus> again =
                NdSide.start(asking, o -> asking.connect(client.qp, NdSide.addressOf(listener), 1, 1, null, o));
        NdConnector asked = server.adapter.createConnector(server.file);
        assertThat(NdSide.await(listener, o -> listener.getConnectionRequest(asked, o)))
                .isEqualTo(NdStatus.SUCCESS);
        Supplier<NdStatus> accepted = NdSide.start(asked, o -> asked.accept(server.qp, 1, 1, null, o));
        assertThat(again.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(NdSide.await(asking, asking::completeConnect)).isEqualTo(NdStatus.SUCCESS);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(server.qp.send("send", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        client.succeeds(NdRequestType.RECEIVE, "stays");
    }

    @Test
    void acceptTimesOutIfTheOtherSideIsNotThereAnyMore() {
        NdSide client = new NdSide(near);
        NdSide server = new NdSide(far);
        NdListener listener = server.listen(0);
        NdConnector asking = client.bound();
        NdOverlapped connect = new NdOverlapped();
        assertThat(asking.connect(client.qp, NdSide.addressOf(listener), 1, 1, null, connect))
                .isEqualTo(NdStatus.PENDING);
        NdConnector asked = server.adapter.createConnector(server.file);
        assertThat(NdSide.await(listener, o -> listener.getConnectionRequest(asked, o)))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(server.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        fabric.cut(near.gid(), far.gid());
        NdOverlapped accept = new NdOverlapped();
        assertThat(asked.accept(server.qp, 1, 1, null, accept)).isEqualTo(NdStatus.PENDING);
        assertThat(asked.getOverlappedResult(accept, LONG)).isEqualTo(NdStatus.IO_TIMEOUT);
        // Its queue pair was in use.
        server.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
    }

    @Test
    void disconnectFromWhoIsNotThereTimesOutAndCancelsAllTheSame() {
        NdSide client = new NdSide(near);
        NdSide server = new NdSide(far);
        NdConnector asking = NdSide.meet(client, server).get(0);
        assertThat(client.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        fabric.cut(near.gid(), far.gid());
        NdOverlapped disconnect = new NdOverlapped();
        assertThat(asking.disconnect(disconnect)).isEqualTo(NdStatus.PENDING);
        assertThat(asking.getOverlappedResult(disconnect, LONG)).isEqualTo(NdStatus.IO_TIMEOUT);
        client.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
    }
}
