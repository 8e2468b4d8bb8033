// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.UdReadiness;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One request, refilled for each post, does everything that can be posted, and has nothing left of what it was before. */
class RefilledRequestTest {

    private static final int SIGNALED = SendFlags.SIGNALED;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final SendWorkRequest.Refillable request = new SendWorkRequest.Refillable(0);
    private final ReceiveWorkRequest.Refillable receive = new ReceiveWorkRequest.Refillable(0);

    private void succeed() {
        pair.left.qp.postSend(request);
        WorkCompletion done = pair.left.sent();
        assertThat(done.status()).as("%s: %s", request, done).isEqualTo(WcStatus.SUCCESS);
    }

    private SendWorkRequest.Refillable add(int offset, int count) {
        return request.add(pair.left.address(offset), count, pair.left.region.lkey());
    }

    @Test
    @Rule("WR-12")
    void eachOpcodeHasWhatItNeeds() {
        pair.left.bytes().putLong(0, 41).putLong(8, 42);
        pair.right.bytes().putLong(64, 5);
        long remote = pair.right.address(64);
        int rkey = pair.right.rkey();

        request.fill(1, WrOpcode.ATOMIC_CMP_AND_SWP, SIGNALED, remote, rkey).atomic(5, 6);
        add(128, 8);
        succeed();
        assertThat(pair.right.bytes().getLong(64)).isEqualTo(6);
        request.fill(2, WrOpcode.ATOMIC_FETCH_AND_ADD, SIGNALED, remote, rkey).atomic(3, 0);
        add(128, 8);
        succeed();
        assertThat(pair.left.bytes().getLong(128)).isEqualTo(6);
        assertThat(pair.right.bytes().getLong(64)).isEqualTo(9);

        pair.right.qp.postRecv(receive.fill(3)
                .add(pair.right.address(256), 8, pair.right.region.lkey())
                .add(pair.right.sge(512, 8)));
        request.fill(3, WrOpcode.SEND_WITH_IMM, SIGNALED, 0, 0).immediate(0x1234);
        add(0, 8);
        add(8, 8);
        succeed();
        assertThat(pair.right.received().immediate()).isEqualTo(0x1234);
        assertThat(pair.right.bytes().getLong(512)).isEqualTo(42);

        request.fill(4, WrOpcode.ATOMIC_WRITE, SIGNALED, remote, rkey);
        add(8, 8);
        succeed();
        assertThat(pair.right.bytes().getLong(64)).isEqualTo(42);
    }

    @Test
    @Rule({"WR-12", "NW-02", "MW-30"})
    void flushBindAndInvalidateAreRefilledToo() {
        MemoryRegion region = pair.left.pd.register(
                Memory.allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | AccessFlags.REMOTE_WRITE);
        MemoryRegion flushed =
                pair.right.pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.FLUSH_GLOBAL);
        request.fill(1, WrOpcode.FLUSH, SIGNALED, flushed.address(), flushed.rkey())
                .flush(FlushTarget.GLOBAL, FlushTarget.RANGE, 8);
        succeed();
        MemoryWindow window = pair.left.pd.allocateWindow(MemoryWindowType.TYPE_2);
        request.fill(2, WrOpcode.BIND_MW, SIGNALED, 0, 0)
                .bind(window, window.rkey() + 1, region, region.address(), 64, AccessFlags.REMOTE_WRITE);
        assertThat(request.bindInfo()).isEqualTo(new BindInfo(region, region.address(), 64, AccessFlags.REMOTE_WRITE));
        int bound = request.boundKey();
        succeed();
        request.fill(3, WrOpcode.LOCAL_INV, SIGNALED, 0, 0).immediate(bound);
        succeed();
        assertThat(request.flushTarget()).isNull();
        assertThat(request.window()).isNull();
    }

    @Test
    @Rule("WR-12")
    void datagramsToSeveralAreKept() {
        QueuePair from =
                pair.left.pd.createQp(QpInitAttributes.ud(pair.left.sendCq, pair.left.recvCq, QpCapabilities.USUAL));
        QueuePair to =
                pair.right.pd.createQp(QpInitAttributes.ud(pair.right.sendCq, pair.right.recvCq, QpCapabilities.USUAL));
        new UdReadiness(7).toRts(from, to);
        AddressHandle handle = pair.left.pd.createAddressHandle(AddressVector.to(pair.right.device.gid()));
        to.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, Grh.BYTES + 8)));
        request.fill(1, WrOpcode.SEND, SIGNALED, 0, 0).datagram(handle, to.number(), 7);
        add(0, 8);
        from.postSend(request);
        assertThat(pair.left.sent().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(pair.right.received().status()).isEqualTo(WcStatus.SUCCESS);
        Object first = request.datagram();
        request.fill(2, WrOpcode.SEND, SIGNALED, 0, 0).datagram(handle, to.number() + 1, 7);
        assertThat(request.datagram()).isNotEqualTo(first);
        request.fill(3, WrOpcode.SEND, SIGNALED, 0, 0).datagram(handle, to.number(), 7);
        assertThat(request.datagram()).isSameAs(first);
    }

    @Test
    @Rule("WR-12")
    void nothingOfOnePostIsLeftForTheNext() {
        request.fill(1, WrOpcode.SEND, SIGNALED, 5, 6).atomic(1, 2).immediate(3).remoteSrq(4);
        request.flush(FlushTarget.GLOBAL, FlushTarget.RANGE, 8);
        for (int i = 0; i < 9; i++) {
            request.add(i, i, i);
        }
        assertThat(request.elementCount()).isEqualTo(9);
        assertThat(request.element(8)).isEqualTo(new Sge(8, 8, 8));
        SendWorkRequest frozen = request.frozen();
        request.fill(2, WrOpcode.RDMA_READ, 0, 0, 0);
        assertThat(request.elementCount()).isZero();
        assertThat(request.compareOrAdd() | request.swap() | request.immediate() | request.remoteSrq())
                .isZero();
        assertThat(request.flushTarget()).isNull();
        assertThat(frozen.elementCount()).isEqualTo(9);
        assertThat(frozen.element(7)).isEqualTo(new Sge(7, 7, 7));
        assertThat(frozen.remoteSrq()).isEqualTo(4);
    }
}
