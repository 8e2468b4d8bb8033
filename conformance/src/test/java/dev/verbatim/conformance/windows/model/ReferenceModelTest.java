// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The model itself, held to the vectors and traces of the rules: A asks, B owns the memory and the windows. These tests say
 * nothing of the device, and so name no rule.
 */
class ReferenceModelTest {

    private static final int LOCAL_WRITE = AccessFlags.LOCAL_WRITE;
    private static final int READ = AccessFlags.REMOTE_READ;
    private static final int WRITE = AccessFlags.REMOTE_WRITE;
    private static final int ATOMIC = AccessFlags.REMOTE_ATOMIC;
    private static final int ALL = READ | WRITE | ATOMIC;
    private static final int CLOSED = LOCAL_WRITE | AccessFlags.MW_BIND;
    private static final int MTU = 256;

    private Hca deviceB = new Hca(Conduct.STRICT, 8, MTU);
    private final Hca deviceA = new Hca(Conduct.STRICT, 8, MTU);
    private final Space sourceA = new Space("A", 0x10_0000, 1024);
    private final Space memory = new Space("B", 0x20_0000, 1024);
    private final Pd pdA = deviceA.allocatePd("A");
    private Pd pdB = deviceB.allocatePd("B");
    private Qp a = deviceA.createQp(pdA, "A");
    private Qp b = deviceB.createQp(pdB, "B");
    private Region region = deviceB.registered(pdB, memory, 0, 1024, CLOSED, 0x100, 0);
    private Window window = deviceB.allocated(pdB, MemoryWindowType.TYPE_2, 0x0A00);
    private long id;

    ReferenceModelTest() {
        Qp.join(a, b, ALL);
    }

    /** The same ground, of a device that differs. */
    private void ground(Conduct conduct) {
        deviceB = new Hca(conduct, 8, MTU);
        pdB = deviceB.allocatePd("B");
        a = deviceA.createQp(pdA, "A");
        b = deviceB.createQp(pdB, "B");
        region = deviceB.registered(pdB, memory, 0, 1024, CLOSED, 0x100, 0);
        window = deviceB.allocated(pdB, MemoryWindowType.TYPE_2, 0x0A00);
        Qp.join(a, b, ALL);
    }

    private static List<WcStatus> sends(Qp qp) {
        return qp.takeSendCompletions().stream().map(Completion::status).toList();
    }

    private static List<WcStatus> receives(Qp qp) {
        return qp.takeReceiveCompletions().stream().map(Completion::status).toList();
    }

    private Bind bind(Window of, int key, @Nullable Region to, long offset, long length, int access) {
        long address = to == null ? 0 : to.address() + offset;
        return new Bind(++id, false, of, key, to, address, length, access);
    }

    private void bindType2(int key, long offset, long length, int access) {
        assertThat(deviceB.bindByWorkRequest(b, bind(window, key, region, offset, length, access)))
                .isEqualTo(Answer.OK);
    }

    private WcStatus access(Operation operation, int key, long address, int length) {
        assertThat(deviceA.post(a, new Request(++id, true, operation, address, key, sourceA, 0, length, 0, 0, 0)))
                .isEqualTo(Answer.OK);
        return sends(a).get(0);
    }

    private void postReceive(Qp qp) {
        assertThat(qp.postReceive(new Receive(++id, memory, 512, 64))).isEqualTo(Answer.OK);
    }

    @Test
    void tv01IncrementWrapsTheLowByteAndLeavesTheIndexAlone() {
        assertThat(Keys.next(0x00000100)).isEqualTo(0x00000101);
        assertThat(Keys.next(0x000001ff)).isEqualTo(0x00000100);
        assertThat(Keys.next(0xffffffff)).isEqualTo(0xffffff00);
        assertThat(Keys.next(0x12345678)).isEqualTo(0x12345679);
    }

    @Test
    void tv02TypeTwoKeyHasTheIndexOfTheWindowAndTheVariantOfTheRequest() {
        assertThat(Keys.withVariant(0x0000a7c3, 0x00000400)).isEqualTo(0x0000a700);
        assertThat(Keys.withVariant(0x0000a7c3, 0xdeadbeef)).isEqualTo(0x0000a7ef);
    }

    @Test
    void tr1HappyPath() {
        bindType2(0x41, 0, 64, WRITE);
        assertThat(sends(b)).isEmpty();

        sourceA.bytes()[63] = 7;
        assertThat(access(Operation.WRITE, 0x0A41, region.address(), 64)).isEqualTo(WcStatus.SUCCESS);
        assertThat(memory.bytes()[63]).isEqualTo((byte) 7);

        postReceive(b);
        deviceA.sendWithInvalidate(a, ++id, true, 0x0A41, sourceA, 0, 8);
        assertThat(sends(a)).containsExactly(WcStatus.SUCCESS);
        assertThat(b.takeReceiveCompletions())
                .extracting(Completion::toString)
                .containsExactly("#3 SUCCESS RECV of 8 bytes flags=0x8 data=0x00000a41 [MW-84]");
        assertThat(window.binding()).isNull();
        assertThat(b.takeAccessEvents()).isEmpty();
    }

    @Test
    void tr2StaleKeyEndsBothSidesAndZeroBytesDoNot() {
        tr1HappyPath();
        assertThat(access(Operation.WRITE, 0x0A41, region.address(), 0)).isEqualTo(WcStatus.SUCCESS);

        postReceive(b);
        sourceA.bytes()[0] = 9;
        assertThat(access(Operation.WRITE, 0x0A41, region.address(), 1)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.ERR);
        assertThat(b.takeAccessEvents()).containsExactly("MW-105");
        assertThat(receives(b)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(memory.bytes()[0]).isZero();
    }

    @Test
    void tr3FailingBindFlushesWhatIsBehindAndThePeerLearnsByItsOwnRequests() {
        Region without = deviceB.registered(pdB, memory, 0, 64, LOCAL_WRITE, 0x200, 0);
        deviceB.bindByWorkRequest(b, bind(window, 0x41, without, 0, 64, READ));
        deviceB.invalidate(b, ++id, false, 0x0A41);
        assertThat(b.takeSendCompletions())
                .extracting(Completion::toString)
                .containsExactly("#1 MW_BIND_ERR [MW-50]", "#2 WR_FLUSH_ERR [QP-23]");
        assertThat(window.binding()).isNull();
        assertThat(a.state()).isEqualTo(QpState.RTS);
        assertThat(access(Operation.READ, 0x0A41, region.address(), 1)).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void tr4RemoteInvalidationOfTypeOneFailsSilently() {
        Window type1 = deviceB.allocated(pdB, MemoryWindowType.TYPE_1, 0x0B00);
        deviceB.bindByVerb(b, bind(type1, 0, region, 0, 64, READ));
        postReceive(b);
        postReceive(b);
        deviceA.sendWithInvalidate(a, ++id, true, 0x0B01, sourceA, 0, 8);
        assertThat(sends(a)).containsExactly(WcStatus.RETRY_EXC_ERR);
        assertThat(receives(b)).containsExactly(WcStatus.REM_INV_REQ_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(type1.binding()).isNotNull();

        b = deviceB.createQp(pdB, "B'");
        a.reset();
        Qp.join(a, b, ALL);
        assertThat(access(Operation.READ, 0x0B01, region.address(), 8)).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void tr5EachRebindHasTheNextKeyAndOldOnesDie() {
        Window type1 = deviceB.allocated(pdB, MemoryWindowType.TYPE_1, 0x0BFF);
        deviceB.bindByVerb(b, bind(type1, 0, region, 0, 64, READ));
        assertThat(type1.rkey()).isEqualTo(0x0B00);
        deviceB.bindByVerb(b, bind(type1, 0, region, 64, 64, READ));
        assertThat(type1.rkey()).isEqualTo(0x0B01);
        assertThat(access(Operation.READ, 0x0B01, region.address() + 64, 64)).isEqualTo(WcStatus.SUCCESS);
        assertThat(access(Operation.READ, 0x0B00, region.address(), 1)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.takeAccessEvents()).containsExactly("MW-102");
    }

    @Test
    void tr8LateReadKillsTheOwner() {
        bindType2(0x41, 0, 64, READ);
        deviceB.invalidate(b, ++id, true, 0x0A41);
        assertThat(sends(b)).containsExactly(WcStatus.SUCCESS);
        assertThat(access(Operation.READ, 0x0A41, region.address(), 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.state()).isEqualTo(QpState.ERR);
        assertThat(b.takeAccessEvents()).hasSize(1);
    }

    @Test
    void tr11WindowOfAQueuePairThatIsGoneCanOnlyBeDeallocated() {
        bindType2(0x41, 0, 64, READ);
        assertThat(deviceB.destroy(b)).isEqualTo(Answer.OK);
        b = deviceB.createQp(pdB, "B'");
        a.reset();
        Qp.join(a, b, ALL);
        assertThat(access(Operation.READ, 0x0A41, region.address(), 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.takeAccessEvents()).containsExactly("MW-104");

        b.reset();
        a.reset();
        Qp.join(a, b, ALL);
        deviceB.invalidate(b, ++id, false, 0x0A41);
        assertThat(sends(b)).containsExactly(WcStatus.MW_BIND_ERR);
        assertThat(deviceB.deregister(region).errno()).isEqualTo(Errno.EBUSY);
        assertThat(deviceB.deallocatePd(pdB).errno()).isEqualTo(Errno.EBUSY);
        assertThat(deviceB.deallocate(window)).isEqualTo(Answer.OK);
        assertThat(deviceB.deregister(region)).isEqualTo(Answer.OK);
        assertThat(deviceB.destroy(b)).isEqualTo(Answer.OK);
        assertThat(deviceB.deallocatePd(pdB)).isEqualTo(Answer.OK);
    }

    @Test
    void resetMakesAWindowUnreachableUnlessTheDeviceKeepsIt() {
        for (boolean keeps : List.of(false, true)) {
            ground(keeps ? Conduct.strictBut(Deviation.KEEPS_OVER_RESET) : Conduct.STRICT);
            bindType2(0x41, 0, 64, READ);
            a.reset();
            b.reset();
            Qp.join(a, b, ALL);
            assertThat(access(Operation.READ, 0x0A41, region.address(), 8))
                    .isEqualTo(keeps ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void rightsAndRangeAreTheWindowsAndTheRegionNeedsNoRemoteRight() {
        bindType2(0x41, 128, 64, READ);
        assertThat(access(Operation.READ, 0x0A41, region.address() + 128, 64)).isEqualTo(WcStatus.SUCCESS);
        assertThat(access(Operation.READ, 0x0A41, region.address() + 129, 64)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.takeAccessEvents()).containsExactly("MW-107");

        a.reset();
        b.reset();
        Qp.join(a, b, ALL);
        Window other = deviceB.allocated(pdB, MemoryWindowType.TYPE_2, 0x0C00);
        deviceB.bindByWorkRequest(b, bind(other, 0x41, region, 128, 64, READ));
        assertThat(access(Operation.WRITE, 0x0C41, region.address() + 128, 1)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.takeAccessEvents()).containsExactly("MW-106");
    }

    @Test
    void zeroBasedWindowCountsFromZero() {
        bindType2(0x41, 128, 64, READ | AccessFlags.ZERO_BASED);
        memory.bytes()[191] = 5;
        assertThat(access(Operation.READ, 0x0A41, 63, 1)).isEqualTo(WcStatus.SUCCESS);
        assertThat(sourceA.bytes()[0]).isEqualTo((byte) 5);
        assertThat(access(Operation.READ, 0x0A41, region.address() + 128, 1)).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void bindOfNoBytesUnbindsTypeOneAndFailsForTypeTwo() {
        Window type1 = deviceB.allocated(pdB, MemoryWindowType.TYPE_1, 0x0B00);
        deviceB.bindByVerb(b, bind(type1, 0, region, 0, 64, READ));
        assertThat(deviceB.deregister(region).errno()).isEqualTo(Errno.EBUSY);
        deviceB.bindByVerb(b, bind(type1, 0, null, 0, 0, 0));
        assertThat(type1.rkey()).isEqualTo(0x0B02);
        assertThat(type1.binding()).isNull();

        bindType2(0x41, 0, 0, READ);
        assertThat(b.takeSendCompletions()).extracting(Completion::toString).containsExactly("#3 MW_BIND_ERR [MW-47]");
    }

    @Test
    void queuePairWithWindowsTwoAStaysUntilTheyAreGone() {
        ground(Conduct.STRICT_2A);
        bindType2(0x41, 0, 64, READ);
        assertThat(deviceB.destroy(b).errno()).isEqualTo(Errno.EBUSY);
        deviceB.invalidate(b, ++id, false, 0x0A41);
        assertThat(deviceB.destroy(b)).isEqualTo(Answer.OK);
    }

    @Test
    void orphanLeadsNowhere() {
        ground(new Conduct(true, null, WcStatus.RETRY_EXC_ERR, Set.of()));
        bindType2(0x41, 0, 64, READ);
        assertThat(deviceB.deregister(region)).isEqualTo(Answer.OK);
        assertThat(access(Operation.READ, 0x0A41, region.address(), 1)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.takeAccessEvents()).containsExactly("MW-108");
    }

    @Test
    void keysThatCannotBeAreNamed() {
        assertThatThrownBy(() -> deviceB.allocated(pdB, MemoryWindowType.TYPE_1, 0x00FF))
                .hasMessageContaining("KEY-P7");
        assertThatThrownBy(() -> deviceB.registered(pdB, memory, 0, 8, 0, 0x100, 0))
                .hasMessageContaining("KEY-P1");
        assertThatThrownBy(() -> deviceB.registered(pdB, memory, 0, 8, 0, 0x300, 0x301))
                .hasMessageContaining("MR-13");
        bindType2(0x41, 0, 64, READ);
        deviceB.deallocate(window);
        assertThatThrownBy(() -> deviceB.allocated(pdB, MemoryWindowType.TYPE_1, 0x0A41))
                .hasMessageContaining("KEY-P5");
        assertThatThrownBy(() -> deviceB.allocated(pdB, MemoryWindowType.TYPE_1, 0x0A00))
                .hasMessageContaining("KEY-P3");
    }
}
