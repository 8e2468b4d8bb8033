// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions that become others (section A.7); the right side owns them. */
class ReregistrationTest {

    private static final int BYTES = 64;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final Memory first = Memory.allocate(BYTES);
    private final Memory second = Memory.allocate(BYTES);
    private final MemoryRegion region = pair.right.pd.register(first, RIGHTS);

    private static void assertFails(ReregistrationError error, Errno errno, String rule, Verb verb, String... words) {
        VerbsException refused = assertRefused(errno, rule, verb::run, words);
        assertThat(refused).isInstanceOf(ReregistrationException.class);
        assertThat(((ReregistrationException) refused).error()).isEqualTo(error);
        assertThat(refused).hasMessageContaining(error.name()).hasMessageContaining("(" + error.number() + ")");
    }

    private interface Verb {
        void run();
    }

    private WcStatus write(RcPair over, MemoryRegion target) {
        return write(over, target.address(), target.rkey());
    }

    private WcStatus write(RcPair over, long address, int rkey) {
        over.left.bytes().put(0, (byte) 0x5a);
        over.left.qp.postSend(SendWorkRequest.write(1, address, rkey, over.left.sge(0, 1)));
        return over.left.sent().status();
    }

    /** Both queue pairs to RESET and to RTS again. */
    private static void recover(RcPair pair) {
        QpAttributes reset = new QpAttributes().state(QpState.RESET);
        pair.left.qp.modify(reset);
        pair.right.qp.modify(reset);
        for (AsyncEvent event = pair.right.device.pollAsyncEvent();
                event != null;
                event = pair.right.device.pollAsyncEvent()) {
            event.acknowledge();
        }
        pair.connect(RcPair.WITHOUT_TIMER);
    }

    private static String ruleOfEvent(Side side) {
        AsyncEvent event = side.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        Refusal why = event.refusal();
        assertThat(why).isNotNull();
        return why.rule();
    }

    private void assertAsItWas(MemoryRegion unchanged) {
        assertThat(write(pair, unchanged)).isEqualTo(WcStatus.SUCCESS);
        assertThat(first.buffer().get(0)).isEqualTo((byte) 0x5a);
    }

    @Test
    @Rule("MR-60")
    void unknownFlagsLeaveTheRegionAsItWas() {
        for (int bit = 3; bit < Integer.SIZE; bit++) {
            int flags = 1 << bit | ReregistrationFlags.CHANGE_ACCESS;
            assertFails(
                    ReregistrationError.INPUT,
                    Errno.EINVAL,
                    "MR-60",
                    () -> region.reregister(flags, null, null, 0, 0, RIGHTS),
                    "unknown bits");
        }
        assertAsItWas(region);
    }

    @Test
    @Rule({"MR-61", "MR-62", "MR-69"})
    void argumentsThatDoNotFitTheFlagsLeaveTheRegionAsItWas() {
        assertFails(
                ReregistrationError.INPUT,
                Errno.EINVAL,
                "MR-61",
                () -> region.reregister(second, 0, 0),
                "lengthBytes=0");
        assertFails(
                ReregistrationError.INPUT,
                Errno.EINVAL,
                "MR-61",
                () -> region.reregister(ReregistrationFlags.CHANGE_TRANSLATION, null, null, 0, BYTES, 0),
                "needs memory");
        assertFails(
                ReregistrationError.INPUT,
                Errno.EINVAL,
                "MR-62",
                () -> region.reregister(
                        ReregistrationFlags.CHANGE_TRANSLATION, null, second, 0, BYTES, AccessFlags.LOCAL_WRITE),
                "without CHANGE_ACCESS");
        assertFails(
                ReregistrationError.INPUT,
                Errno.EINVAL,
                "MR-69",
                () -> region.reregister(ReregistrationFlags.CHANGE_PD, null, null, 0, 0, 0));
        assertAsItWas(region);
    }

    @Test
    @Rule("MR-63")
    void illegalRightsLeaveARegionThatCanOnlyBeClosed() {
        int lkey = region.lkey();
        int rkey = region.rkey();
        assertFails(
                ReregistrationError.CMD,
                Errno.EINVAL,
                "MR-63",
                () -> region.reregister(AccessFlags.REMOTE_WRITE),
                "add LOCAL_WRITE",
                "MR-03",
                "only closed");
        assertFails(
                ReregistrationError.CMD,
                Errno.EINVAL,
                "MR-63",
                () -> region.reregister(RIGHTS),
                "failed to be re-registered before");
        assertThat(write(pair, region.address(), rkey)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        recover(pair);
        pair.right.qp.postSend(SendWorkRequest.send(2, region.sge()));
        assertThat(pair.right.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
        assertThat(region.lkey()).isEqualTo(lkey);
        assertThat(first.buffer().get(0)).isZero();
        region.close();
        assertRefused(Errno.ENOENT, "MR-56", region::close);
        assertRefused(Errno.ENOENT, "MR-56", () -> region.reregister(RIGHTS));
    }

    @Test
    @Rule("MR-63")
    void someDevicesKeepWhatTheyRefuseToChange() {
        DeviceProfile keeping = DeviceProfile.STRICT_IBTA.toBuilder()
                .reregFailureKeepsRegion(true)
                .build();
        try (RcPair other = RcPair.over(Verbatim.inProcess().profile(keeping), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER)) {
            MemoryRegion kept = other.right.pd.register(first, RIGHTS);
            assertFails(
                    ReregistrationError.CMD,
                    Errno.EINVAL,
                    "MR-63",
                    () -> kept.reregister(AccessFlags.REMOTE_WRITE),
                    "as it was");
            assertThat(write(other, kept)).isEqualTo(WcStatus.SUCCESS);
        }
    }

    @Test
    @Rule("MR-63")
    void domainsAndMemoryThatCannotBeUsedAreTheDevicesBusiness() {
        ProtectionDomain freed = pair.right.device.allocatePd();
        freed.close();
        MemoryRegion a = pair.right.pd.register(first, RIGHTS);
        assertFails(ReregistrationError.CMD, Errno.ENOENT, "MR-63", () -> a.reregister(freed), "was freed", "PD-02");
        MemoryRegion b = pair.right.pd.register(first, RIGHTS);
        assertFails(ReregistrationError.CMD, Errno.EINVAL, "MR-63", () -> b.reregister(pair.left.pd), "not of device");
        MemoryRegion c = pair.right.pd.register(first, RIGHTS);
        assertFails(
                ReregistrationError.CMD,
                Errno.EINVAL,
                "MR-63",
                () -> c.reregister(second, 1, BYTES),
                "leave the memory");
        List.of(a, b, c).forEach(MemoryRegion::close);
    }

    @Test
    @Rule("MR-64")
    void windowsKeepTheirRegionAsItIs() {
        MemoryRegion under = pair.right.pd.register(first, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_1);
        pair.right.qp.bindWindow(window, WindowBind.signaled(1, BindInfo.of(under, AccessFlags.REMOTE_WRITE)));
        assertThat(pair.right.sent()).isSuccess();
        assertFails(
                ReregistrationError.CMD,
                Errno.EBUSY,
                "MR-64",
                () -> under.reregister(second, 0, BYTES),
                "windows=1 bound to it");
        assertThat(write(pair, under.address(), window.rkey())).isEqualTo(WcStatus.SUCCESS);
        window.close();
        under.reregister(second, 0, BYTES);
        under.close();
    }

    @Test
    @Rule({"MR-65", "KEY-P2"})
    void otherBytesAreNamedAndTheOldOnesAreOutOfReach() {
        long oldAddress = region.address();
        int oldLkey = region.lkey();
        int oldRkey = region.rkey();
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, region.sge()));
        region.reregister(second, 8, 16);
        assertThat(region.address()).isEqualTo(second.address() + 8);
        assertThat(region.lengthBytes()).isEqualTo(16);
        assertThat(region.lkey()).isNotEqualTo(oldLkey);
        assertThat(region.lkey() >>> 8).as("index").isEqualTo(oldLkey >>> 8);
        assertThat(region.rkey()).isNotIn(oldRkey, oldLkey, region.lkey());

        assertThat(write(pair, region)).isEqualTo(WcStatus.SUCCESS);
        assertThat(second.buffer().get(8)).isEqualTo((byte) 0x5a);
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(pair.right.received())
                .hasStatus(WcStatus.LOC_PROT_ERR)
                .isExplainedBy("MR-65", String.format(Locale.ROOT, "key 0x%08x", oldLkey), "has been re-registered");
        recover(pair);
        assertThat(write(pair, oldAddress, oldRkey)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(ruleOfEvent(pair.right)).isEqualTo("MR-65");
        assertThat(first.buffer().get(0)).isZero();

        recover(pair);
        region.reregister(first, 0, BYTES);
        assertAsItWas(region);
    }

    @Test
    @Rule("MR-66")
    void rightsAreTakenAwayAndGivenBack() {
        region.reregister(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
        assertThat(write(pair, region)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertState(pair.right.qp, QpState.ERR);
        recover(pair);
        region.reregister(AccessFlags.LOCAL_WRITE);
        assertThat(region.rkey()).as("nothing is granted").isZero();
        region.reregister(RIGHTS);
        assertThat(region.access()).isEqualTo(RIGHTS);
        assertAsItWas(region);
    }

    @Test
    @Rule({"MR-67", "PD-01"})
    void regionMovesToAnotherDomain() {
        ProtectionDomain other = pair.right.device.allocatePd();
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, region.sge()));
        region.reregister(other);
        assertThat(region.pd()).isSameAs(other);
        assertRefused(Errno.EBUSY, "PD-01", other::close, "regions=1");
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        pair.right.region.close();
        assertRefused(Errno.EBUSY, "PD-01", pair.right.pd::close, "regions=0");
        region.reregister(pair.right.pd);
        other.close();
        assertRefused(Errno.EBUSY, "PD-01", pair.right.pd::close, "regions=1");
        region.close();
    }

    @Test
    @Rule("MR-20")
    void wholeRegionChangesAtOnceAndZeroBasedStays() {
        ProtectionDomain other = pair.right.device.allocatePd();
        MemoryRegion zeroBased = pair.right.pd.register(first, RIGHTS | AccessFlags.ZERO_BASED);
        zeroBased.reregister(AccessFlags.LOCAL_WRITE);
        assertThat(zeroBased.address()).isZero();
        assertThat(zeroBased.access()).isEqualTo(AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED);
        zeroBased.reregister(ReregistrationFlags.ALL, other, second, 0, BYTES, RIGHTS);
        assertThat(zeroBased.address()).isEqualTo(second.address());
        assertThat(zeroBased.pd()).isSameAs(other);
        assertThat(zeroBased.access()).isEqualTo(RIGHTS);
        zeroBased.close();
        other.close();
    }

    @Test
    @Rule({"MR-68", "MR-63"})
    void softRoceCannotChangeWhatARegionNamesOrItsRights() {
        try (RcPair rxe = RcPair.over(Verbatim.inProcess().profile(DeviceProfile.RXE_LIKE), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER)) {
            MemoryRegion kept = rxe.right.pd.register(first, RIGHTS);
            int key = kept.rkey();
            assertFails(
                    ReregistrationError.CMD,
                    Errno.EOPNOTSUPP,
                    "MR-68",
                    () -> kept.reregister(second, 0, BYTES),
                    "cannot change what a region names");
            assertFails(
                    ReregistrationError.CMD,
                    Errno.EOPNOTSUPP,
                    "MR-63",
                    () -> kept.reregister(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE),
                    "cannot change the rights of a region");
            ProtectionDomain other = rxe.right.device.allocatePd();
            kept.reregister(other);
            kept.reregister(rxe.right.pd);
            assertThat(kept.rkey()).isEqualTo(key);
            assertThat(write(rxe, kept)).isEqualTo(WcStatus.SUCCESS);
        }
    }

    /** The k-th packet of a WRITE finds the region re-registered: what was placed stays, the rest goes nowhere. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"MR-54", "MR-65"})
    void writeUnderWayStopsWhereItsTargetBecomesAnother(boolean keepsKeys) {
        int mtu = 1024;
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().reregKeepsKeys(keepsKeys).build();
        Memory old = Memory.allocate(4 * mtu);
        Memory other = Memory.allocate(4 * mtu);
        MemoryRegion[] target = new MemoryRegion[1];
        int[] packets = {0};
        Verbatim rdma = Verbatim.inProcess().profile(profile).tap(event -> {
            if (event instanceof TraceEvent.PacketReceived && event.device().equals("right") && ++packets[0] == 3) {
                target[0].reregister(other, 0, 4 * mtu);
            }
        });
        try (rdma) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            RcConnection.USUAL.join(left.qp, right.qp);
            // Both memories have the same addresses for peers, so only the registration tells them apart.
            target[0] = right.pd.register(old, RIGHTS | AccessFlags.ZERO_BASED);
            for (int i = 0; i < 4 * mtu; i++) {
                left.bytes().put(i, (byte) 1);
            }
            left.qp.postSend(SendWorkRequest.write(1, 0, target[0].rkey(), left.sge(0, 4 * mtu)));
            assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(ruleOfEvent(right)).isEqualTo("MR-65");
            assertThat(old.buffer().get(2 * mtu - 1)).isEqualTo((byte) 1);
            assertThat(old.buffer().get(2 * mtu)).isZero();
            for (int i = 0; i < 4 * mtu; i++) {
                assertThat(other.buffer().get(i)).isZero();
            }
        }
    }

    @Test
    @Rule("MR-72")
    void adviceIsForOnDemandPagingOnly() {
        assertRefused(
                Errno.EOPNOTSUPP,
                "MR-72",
                () -> pair.right.pd.advise(ProtectionDomain.ADVICE_PREFETCH, 0, List.of(region.sge())),
                "on-demand paging");
    }
}
