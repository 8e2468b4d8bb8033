// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** By which addresses the bytes of a region go (section A.3). */
class RegionAddressTest {

    private static final int BYTES = 256;
    private static final long WORD = 0x0102030405060708L;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final Memory memory = Memory.allocate(2 * BYTES);

    private MemoryRegion shared(long iova) {
        return pair.right.pd.registerIova(memory, BYTES, BYTES, iova, Side.ALL_RIGHTS);
    }

    private void assertWordGoesTo(MemoryRegion region, long address, int index) {
        memory.buffer().putLong(index, 0);
        pair.left.bytes().putLong(0, WORD);
        pair.left.qp.postSend(SendWorkRequest.write(1, address, region.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(memory.buffer().getLong(index)).isEqualTo(WORD);

        pair.left.qp.postSend(SendWorkRequest.read(2, address, region.rkey(), pair.left.sge(8, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.left.bytes().getLong(8)).isEqualTo(WORD);

        pair.left.qp.postSend(SendWorkRequest.fetchAndAdd(3, address, region.rkey(), 1, pair.left.sge(16, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(memory.buffer().getLong(index)).isEqualTo(WORD + 1);
    }

    @Test
    @Rule("MR-20")
    void peerNamesRegionByTheAddressThatItWasGiven() {
        MemoryRegion region = shared(0x5000);
        assertThat(region.address()).isEqualTo(0x5000);
        assertThat(region)
                .hasToString("region [0x5000,0x5100) lkey=0x00000201 rkey=0x00000202"
                        + " access=LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC");
        assertWordGoesTo(region, 0x5000, BYTES);
        assertWordGoesTo(region, 0x5000 + BYTES - 8, 2 * BYTES - 8);
    }

    @Test
    @Rule("MR-20")
    void zeroBasedRegionBeginsAtZero() {
        MemoryRegion region = pair.right.pd.register(memory, BYTES, BYTES, Side.ALL_RIGHTS | AccessFlags.ZERO_BASED);
        assertThat(region.address()).isZero();
        assertWordGoesTo(region, 0, BYTES);
        assertWordGoesTo(region, BYTES - 8, 2 * BYTES - 8);
    }

    @Test
    @Rule("MR-20")
    void localElementsNameRegionByItsAddressToo() {
        MemoryRegion region = pair.left.pd.registerIova(memory, BYTES, BYTES, 0x7000, Side.ALL_RIGHTS);
        memory.buffer().putLong(BYTES + 16, WORD);
        pair.left.qp.postSend(
                SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), new Sge(0x7010, 8, region.lkey())));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(WORD);

        pair.left.qp.postSend(SendWorkRequest.read(2, pair.right.address(0), pair.right.rkey(), region.sge(8, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(memory.buffer().getLong(BYTES + 8)).isEqualTo(WORD);

        pair.left.qp.postSend(SendWorkRequest.write(
                3, pair.right.address(0), pair.right.rkey(), new Sge(memory.address() + BYTES, 8, region.lkey())));
        assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).isExplainedBy("MR-22", "[0x7000,0x7100)");
    }

    @Test
    @Rule("MR-21")
    void addressMayBeAnyHoweverTheMemoryIsAligned() {
        for (long iova : new long[] {1, 0xfff, 0x7fff_ffff_ffff_fff9L, 0x8000_0000_0000_0000L, -BYTES}) {
            MemoryRegion region = pair.right.pd.registerIova(
                    memory, BYTES, BYTES, iova, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            memory.buffer().put(2 * BYTES - 1, (byte) 0);
            pair.left.bytes().put(0, (byte) 77);
            pair.left.qp.postSend(SendWorkRequest.write(1, iova + BYTES - 1, region.rkey(), pair.left.sge(0, 1)));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(memory.buffer().get(2 * BYTES - 1)).isEqualTo((byte) 77);
        }
    }

    @Test
    @Rule({"MR-24", "MR-15"})
    void registrationsOfOneMemoryAgreeOnAddressesAndOnNothingElse() {
        ProtectionDomain otherPd = pair.left.device.allocatePd();
        MemoryRegion whole = pair.right.pd.register(memory, Side.ALL_RIGHTS);
        MemoryRegion part = pair.right.pd.register(memory, BYTES, BYTES, AccessFlags.REMOTE_READ);
        MemoryRegion same = pair.right.pd.register(memory, 0);
        MemoryRegion elsewhere = otherPd.register(memory, 0);
        assertThat(part.address()).isEqualTo(whole.address() + BYTES);
        assertThat(same.address()).isEqualTo(whole.address()).isEqualTo(elsewhere.address());
        assertThat(List.of(whole.lkey(), whole.rkey(), part.lkey(), part.rkey(), same.lkey()))
                .doesNotHaveDuplicates();

        assertWordGoesTo(whole, part.address(), BYTES);
        // Each key has its own rights, and ends alone.
        same.close();
        pair.left.qp.postSend(SendWorkRequest.read(1, part.address(), part.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        whole.close();
        pair.left.qp.postSend(SendWorkRequest.read(2, part.address(), part.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        pair.left.qp.postSend(SendWorkRequest.write(3, part.address(), part.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Rule("MR-24")
    void bufferHasTheSameAddressEachTimeItIsRegistered() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        MemoryRegion whole = pair.right.pd.register(buffer, 0);
        buffer.position(16).limit(32);
        MemoryRegion part = pair.left.pd.register(buffer, 0);
        assertThat(part.address()).isEqualTo(whole.address() + 16);
        assertThat(part.lengthBytes()).isEqualTo(16);
        assertThat(buffer.position()).isEqualTo(16);
        assertThat(buffer.limit()).isEqualTo(32);
        asserted();
    }

    /** A place where an access of 8 bytes may begin, or not. */
    private record Start(long iova, long address, boolean inside, String rule) {}

    private static List<Start> starts() {
        List<Start> starts = new ArrayList<>();
        for (long iova : new long[] {0x1000, 0, Long.MAX_VALUE - 100, -BYTES}) {
            starts.add(new Start(iova, iova, true, ""));
            starts.add(new Start(iova, iova + BYTES - 8, true, ""));
            starts.add(new Start(iova, iova - 1, false, iova == 0 ? "MR-23" : "MR-22"));
            starts.add(new Start(iova, iova + BYTES - 7, false, iova == -BYTES ? "MR-23" : "MR-22"));
            starts.add(new Start(iova, iova + BYTES, false, "MR-22"));
            starts.add(new Start(iova, -7, false, "MR-23"));
            starts.add(new Start(iova, -4, false, "MR-23"));
        }
        return starts;
    }

    private static String needs(Start start) {
        return String.format(Locale.ROOT, "needs [0x%x,0x%x)", start.address(), start.address() + 8);
    }

    @ParameterizedTest
    @MethodSource("starts")
    @Rule({"MR-22", "MR-23"})
    void accessIsHeldToTheBoundsToTheByte(Start start) {
        int rights = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;
        MemoryRegion remote = pair.right.pd.registerIova(memory, BYTES, BYTES, start.iova(), rights);
        MemoryRegion local = pair.left.pd.registerIova(memory, BYTES, BYTES, start.iova(), rights);
        pair.left.qp.postSend(SendWorkRequest.read(1, start.address(), remote.rkey(), pair.left.sge(0, 8)));
        WorkCompletion read = pair.left.sent();
        if (start.inside()) {
            assertThat(read).isSuccess();
            pair.left.qp.postSend(SendWorkRequest.write(
                    2, pair.right.address(0), pair.right.rkey(), new Sge(start.address(), 8, local.lkey())));
            assertThat(pair.left.sent()).isSuccess();
            return;
        }
        assertThat(read).hasStatus(WcStatus.REM_ACCESS_ERR);
        AsyncEvent event = pair.right.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.refusal().rule()).isEqualTo(start.rule());
        assertThat(event.refusal().sentence())
                .contains(
                        String.format(Locale.ROOT, "RDMA_READ of 8 bytes at 0x%x ", start.address()),
                        String.format(Locale.ROOT, "covers [0x%x,0x%x)", start.iova(), start.iova() + BYTES))
                .contains(start.rule().equals("MR-23") ? "end of 64 bits" : needs(start));
        assertEvent(event, EventType.QP_ACCESS_ERR, pair.right.qp);

        try (RcPair other = RcPair.inProcess()) {
            MemoryRegion there = other.left.pd.registerIova(memory, BYTES, BYTES, start.iova(), rights);
            other.left.qp.postSend(SendWorkRequest.write(
                    2, other.right.address(0), other.right.rkey(), new Sge(start.address(), 8, there.lkey())));
            assertThat(other.left.sent())
                    .hasStatus(WcStatus.LOC_PROT_ERR)
                    .isExplainedBy(start.rule(), "LOCAL_READ of 8 bytes at 0x" + Long.toHexString(start.address()));
            assertState(other.right.qp, QpState.RTS);
        }
    }
}
