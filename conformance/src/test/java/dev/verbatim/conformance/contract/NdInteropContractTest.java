// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A peer that speaks verbs and one that speaks NetworkDirect, over one wire: the token of one is the key of the other (MW-12). */
@OnEveryFabric
class NdInteropContractTest {

    @Parameter
    FabricKind fabric;

    /** Verbs on the left, NetworkDirect on the right, connected. */
    private final class Both implements AutoCloseable {

        final RcPair pair = fabric.open(QpCapabilities.USUAL);
        final Side verbs = pair.left;
        final QueuePair qp = verbs.qp;
        final NdSide nd = new NdSide(pair.right.device);

        Both() {
            NdSide.connect(nd.qp, qp);
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    @Test
    void tokenOfNetworkDirectIsTheKeyThatVerbsReadBigEndian() {
        try (Both both = new Both()) {
            NdMemoryWindow window = both.nd.adapter.createMemoryWindow();
            assertThat(both.nd.qp.bind(
                            "bind", both.nd.mr, window, both.nd.address(0), 4096, NdPair.READ | NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            // As its machine stores a number, byte for byte, and sent as bytes.
            both.nd.bytes().putInt(0, window.getRemoteToken()).putLong(8, both.nd.address(1024));
            both.qp.postRecv(ReceiveWorkRequest.of(1, both.verbs.sge(0, 16)));
            assertThat(both.nd.qp.send("send", both.nd.sge(0, 16), 0)).isEqualTo(NdStatus.SUCCESS);
            both.nd.succeeds(NdRequestType.BIND, "bind");
            both.nd.succeeds(NdRequestType.SEND, "send");
            assertThat(both.verbs.received()).isSuccess().hasByteLength(16);

            int rkey = both.verbs.bytes().order(ByteOrder.BIG_ENDIAN).getInt(0);
            long address = both.verbs.bytes().order(ByteOrder.nativeOrder()).getLong(8);
            both.qp.postSend(SendWorkRequest.write(2, address, rkey, both.verbs.sge(0, 16)));
            assertThat(both.verbs.sent()).isSuccess().hasId(2);
            both.qp.postSend(SendWorkRequest.read(3, address, rkey, both.verbs.sge(64, 16)));
            assertThat(both.verbs.sent()).isSuccess().hasId(3);
            assertThat(both.verbs.bytes().getLong(72))
                    .isEqualTo(both.verbs.bytes().getLong(8));
        }
    }

    @Test
    void keyOfVerbsIsATokenWhenItIsSentBigEndian() {
        try (Both both = new Both()) {
            MemoryRegion region =
                    both.verbs.pd.register(both.verbs.region.memory(), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            MemoryWindow window = both.verbs.pd.allocateWindow(MemoryWindowType.TYPE_2);
            SendWorkRequest bind = SendWorkRequest.bindWindow(
                    1, window, 0x41, BindInfo.of(region, AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE));
            both.qp.postSend(bind);
            assertThat(both.verbs.sent()).isSuccess().hasId(1);
            both.verbs.bytes().order(ByteOrder.BIG_ENDIAN).putInt(0, bind.boundKey());
            assertThat(both.nd.qp.receive("receive", both.nd.sge(0, 4))).isEqualTo(NdStatus.SUCCESS);
            both.qp.postSend(SendWorkRequest.send(2, both.verbs.sge(0, 4)));
            assertThat(both.verbs.sent()).isSuccess().hasId(2);
            assertThat(both.nd.succeeds(NdRequestType.RECEIVE, "receive").bytesTransferred())
                    .isEqualTo(4);

            int token = both.nd.bytes().getInt(0);
            both.nd.bytes().putLong(64, 4711);
            assertThat(both.nd.qp.write("write", both.nd.sge(64, 8), region.address() + 128, token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            both.nd.succeeds(NdRequestType.WRITE, "write");
            assertThat(both.verbs.bytes().getLong(128)).isEqualTo(4711);
            assertThat(both.nd.qp.read("read", both.nd.sge(72, 8), region.address() + 128, token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            both.nd.succeeds(NdRequestType.READ, "read");
            assertThat(both.nd.bytes().getLong(72)).isEqualTo(4711);
        }
    }

    @Test
    @Rule("MW-84")
    void peerOfVerbsMayInvalidateAWindowAndItsOwnerIsNotTold() {
        try (Both both = new Both()) {
            NdMemoryWindow window = both.nd.adapter.createMemoryWindow();
            assertThat(both.nd.qp.bind("bind", both.nd.mr, window, both.nd.address(0), 4096, NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            both.nd.succeeds(NdRequestType.BIND, "bind");
            assertThat(both.nd.qp.receive("receive", both.nd.sge(0, 8))).isEqualTo(NdStatus.SUCCESS);
            int rkey = Integer.reverseBytes(window.getRemoteToken());
            both.qp.postSend(SendWorkRequest.sendWithInvalidate(1, rkey, both.verbs.sge(0, 8)));
            assertThat(both.verbs.sent()).isSuccess().hasId(1);
            assertThat(both.nd.succeeds(NdRequestType.RECEIVE, "receive").bytesTransferred())
                    .isEqualTo(8);
            assertThat(both.nd.deregister(both.nd.mr)).isEqualTo(NdStatus.SUCCESS);
            assertThat(both.nd.qp.invalidate("late", window, 0)).isEqualTo(NdStatus.SUCCESS);
            both.nd.expect(NdStatus.INVALID_DEVICE_REQUEST, NdRequestType.INVALIDATE, "late");
        }
    }

    @Test
    void immediateDataOfAPeerOfVerbsIsDroppedAndTheReceiveIsAPlainOne() {
        try (Both both = new Both()) {
            assertThat(both.nd.qp.receive("send", both.nd.sge(0, 64))).isEqualTo(NdStatus.SUCCESS);
            assertThat(both.nd.qp.receive("write", both.nd.sge(64, 64))).isEqualTo(NdStatus.SUCCESS);
            both.qp.postSend(SendWorkRequest.sendWithImmediate(1, 7, both.verbs.sge(0, 24)));
            assertThat(both.verbs.sent()).isSuccess().hasId(1);
            int rkey = Integer.reverseBytes(both.nd.mr.getRemoteToken());
            both.qp.postSend(
                    SendWorkRequest.writeWithImmediate(2, both.nd.address(512), rkey, 8, both.verbs.sge(0, 24)));
            assertThat(both.verbs.sent()).isSuccess().hasId(2);
            assertThat(both.nd.succeeds(NdRequestType.RECEIVE, "send").bytesTransferred())
                    .isEqualTo(24);
            // Nothing of a WRITE is in the receive.
            assertThat(both.nd.succeeds(NdRequestType.RECEIVE, "write").bytesTransferred())
                    .isZero();
        }
    }

    @Test
    void staleTokenFailsForAPeerOfVerbsAsStrictlyAsForAnother() {
        try (Both both = new Both()) {
            NdMemoryWindow window = both.nd.adapter.createMemoryWindow();
            assertThat(both.nd.qp.bind("bind", both.nd.mr, window, both.nd.address(0), 4096, NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            both.nd.succeeds(NdRequestType.BIND, "bind");
            assertThat(both.nd.qp.invalidate("invalidate", window, 0)).isEqualTo(NdStatus.SUCCESS);
            both.nd.succeeds(NdRequestType.INVALIDATE, "invalidate");
            int rkey = Integer.reverseBytes(window.getRemoteToken());
            both.qp.postSend(SendWorkRequest.write(1, both.nd.address(0), rkey, both.verbs.sge(0, 8)));
            assertThat(both.verbs.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(both.nd.qp.send("late", both.nd.sge(0, 8), 0)).isEqualTo(NdStatus.SUCCESS);
            NdResult late = both.nd.expect(NdStatus.CANCELED, NdRequestType.SEND, "late");
            assertThat(late.vendorStatus()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
    }
}
