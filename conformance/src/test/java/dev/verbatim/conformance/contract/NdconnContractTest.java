// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionPort;
import dev.verbatim.networkdirect.NdCompletionQueue;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdOverlappedFile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.Await;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** ndconn (5.2): threads that connect and disconnect, told by completion ports. Not in virtual time, which has one thread. */
@ParameterizedClass
@EnumSource(
        value = FabricKind.class,
        names = {"IN_PROCESS", "ONE_LOOP", "TCP"})
@Timeout(600)
class NdconnContractTest {

    @Parameter
    FabricKind fabric;

    /** Requests of one thread, which are told by their completion port. */
    private static final class Driver {

        final NdSide side;
        final NdOverlappedFile file;
        final NdCompletionPort port = new NdCompletionPort();
        final NdCompletionQueue cq;

        Driver(NdSide side) {
            this.side = side;
            this.file = side.adapter.createOverlappedFile();
            port.associate(file, 1);
            this.cq = side.adapter.createCompletionQueue(file, 4, 0, 0);
        }

        NdQueuePair newQueuePair() {
            return side.adapter.createQueuePair(cq, cq, null, 2, 2, 1, 1, 0);
        }

        /** How a call ends, which the port tells if it takes time. */
        NdStatus await(NdSide.Call call) {
            NdOverlapped overlapped = new NdOverlapped();
            NdStatus status = call.with(overlapped);
            while (status.equals(NdStatus.PENDING)) {
                NdCompletionPort.Entry entry = Objects.requireNonNull(port.get(Await.LIMIT));
                if (entry.overlapped().equals(overlapped)) {
                    status = entry.status();
                }
            }
            return status;
        }

        /** The next result, announced by the port. */
        NdResult result() {
            NdResult[] one = NdResult.array(1);
            while (cq.getResults(one) == 0) {
                assertThat(await(overlapped -> cq.notify(NdNotifyType.ANY, overlapped)))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            return one[0];
        }

        void release() {
            cq.release();
        }
    }

    /** One connection of ndconn's client. */
    private static void connectOnce(Driver driver, InetSocketAddress address) {
        NdQueuePair qp = driver.newQueuePair();
        NdConnector connector = driver.side.adapter.createConnector(driver.file);
        assertThat(connector.bind(driver.side.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
        assertThat(qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(driver.await(o -> connector.connect(qp, address, 0, 0, null, o)))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(driver.await(connector::completeConnect)).isEqualTo(NdStatus.SUCCESS);
        assertThat(qp.send("send", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        for (int i = 0; i < 2; i++) {
            NdResult result = driver.result();
            assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(driver.await(connector::disconnect)).isEqualTo(NdStatus.SUCCESS);
        qp.release();
        connector.release();
    }

    /** One connection of ndconn's server. */
    private static void serveOnce(Driver driver, NdListener listener) {
        NdQueuePair qp = driver.newQueuePair();
        NdConnector connector = driver.side.adapter.createConnector(driver.file);
        assertThat(driver.await(o -> listener.getConnectionRequest(connector, o)))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(driver.await(o -> connector.accept(qp, 0, 0, null, o))).isEqualTo(NdStatus.SUCCESS);
        NdOverlapped notice = new NdOverlapped();
        assertThat(connector.notifyDisconnect(notice).isFailure()).isFalse();
        assertThat(driver.result().status()).isEqualTo(NdStatus.SUCCESS);
        NdStatus sent = qp.send("send", NdSge.NONE, 0);
        assertThat(sent).isEqualTo(NdStatus.SUCCESS);
        assertThat(connector.getOverlappedResult(notice, Await.LIMIT))
                .isIn(NdStatus.SUCCESS, NdStatus.CONNECTION_DISCONNECTED);
        assertThat(driver.await(connector::disconnect)).isEqualTo(NdStatus.SUCCESS);
        qp.release();
        connector.release();
        NdResult[] late = NdResult.array(4);
        int unused = driver.cq.getResults(late);
    }

    @Test
    void ndconn_connectionsComeAndGoAndLeaveNothing() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                all.add(threads.submit((Callable<Void>) () -> {
                    Driver driver = new Driver(meeting.server);
                    NdListener listener = driver.side.adapter.createListener(driver.file);
                    assertThat(listener.bind(driver.side.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
                    assertThat(listener.listen(0)).isEqualTo(NdStatus.SUCCESS);
                    Future<?> client = threads.submit(() -> {
                        Driver other = new Driver(meeting.client);
                        for (int round = 0; round < NdScale.CONNECTIONS; round++) {
                            connectOnce(other, NdSide.addressOf(listener));
                        }
                        other.release();
                    });
                    for (int round = 0; round < NdScale.CONNECTIONS; round++) {
                        serveOnce(driver, listener);
                    }
                    client.get();
                    listener.release();
                    driver.release();
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
