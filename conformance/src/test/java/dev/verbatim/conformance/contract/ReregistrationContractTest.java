// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.contract.ReliableKind.Connected;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions that become others (section A.7) while peers use them, over RC and XRC, on every fabric. */
@OnEveryFabric
class ReregistrationContractTest {

    private static final int BYTES = 4096;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    private static final byte MARK = 0x5a;

    @Parameter
    FabricKind fabric;

    private final Memory first = Memory.allocate(BYTES);
    private final Memory second = Memory.allocate(BYTES);

    @AutoClose
    private RcPair pair;

    private Side left;
    private Side right;
    private MemoryRegion region;

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        left = pair.left;
        right = pair.right;
        left.bytes().put(0, MARK);
        region = right.pd.register(first, RIGHTS);
    }

    private WcStatus write(Connected over, long address, int rkey) {
        over.posts(SendWorkRequest.write(1, address, rkey, left.sge(0, 1)));
        return left.sent().status();
    }

    private WcStatus write(Connected over) {
        return write(over, region.address(), region.rkey());
    }

    private static void assertFails(ReregistrationError error, Errno errno, String rule, ThrowingCallable verb) {
        assertThat(((ReregistrationException) assertRefused(errno, rule, verb)).error())
                .isEqualTo(error);
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule("MR-65")
    void otherBytesAreNamedAndTheOldOnesAreOutOfReach(ReliableKind kind) {
        long oldAddress = region.address();
        int oldRkey = region.rkey();
        Connected over = kind.connect(pair, right.pd);
        over.postsReceive(ReceiveWorkRequest.of(7, region.sge()));
        region.reregister(second, 64, 128);
        assertThat(region.lengthBytes()).isEqualTo(128);
        assertThat(write(over)).isEqualTo(WcStatus.SUCCESS);
        assertThat(second.buffer().get(64)).isEqualTo(MARK);
        over.posts(SendWorkRequest.send(2, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_OP_ERR).hasId(2);
        assertThat(right.received()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(7);

        Connected next = kind.connect(pair, right.pd);
        assertThat(write(next, oldAddress, oldRkey)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, next.receiver());
        assertThat(first.buffer().get(0)).isZero();

        region.reregister(first, 0, BYTES);
        assertThat(write(kind.connect(pair, right.pd))).isEqualTo(WcStatus.SUCCESS);
        assertThat(first.buffer().get(0)).isEqualTo(MARK);
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule("MR-66")
    void rightsAreTakenAwayAndGivenBack(ReliableKind kind) {
        region.reregister(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
        Connected over = kind.connect(pair, right.pd);
        over.posts(SendWorkRequest.read(3, region.address(), region.rkey(), left.sge(8, 8)));
        assertThat(left.sent()).isSuccess().hasId(3);
        assertThat(write(over)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, over.receiver());
        assertThat(first.buffer().get(0)).isZero();
        region.reregister(RIGHTS);
        assertThat(region.access()).isEqualTo(RIGHTS);
        assertThat(write(kind.connect(pair, right.pd))).isEqualTo(WcStatus.SUCCESS);
        assertThat(first.buffer().get(0)).isEqualTo(MARK);
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"MR-67", "PD-01"})
    void regionMovesToAnotherDomainWithItsPeers(ReliableKind kind) {
        ProtectionDomain other = right.device.allocatePd();
        Connected ofOld = kind.connect(pair, right.pd);
        region.reregister(other);
        assertThat(region.pd()).isSameAs(other);
        assertRefused(Errno.EBUSY, "PD-01", other::close, "regions=1");
        Connected ofNew = kind.connect(pair, other);
        assertThat(write(ofNew)).isEqualTo(WcStatus.SUCCESS);
        assertThat(write(ofOld)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, ofOld.receiver());

        Connected receiving = kind.connect(pair, right.pd);
        receiving.postsReceive(ReceiveWorkRequest.of(7, region.sge()));
        receiving.posts(SendWorkRequest.send(2, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_OP_ERR).hasId(2);
        assertThat(right.received()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(7);
        region.reregister(right.pd);
        assertThat(write(kind.connect(pair, right.pd))).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    @Rule({"MR-60", "MR-61", "MR-62", "MR-69"})
    void whatCannotBeMeantLeavesTheRegionAsItWas() {
        int change = ReregistrationFlags.CHANGE_TRANSLATION;
        ReregistrationError input = ReregistrationError.INPUT;
        assertFails(input, Errno.EINVAL, "MR-60", () -> region.reregister(8 | change, null, second, 0, BYTES, 0));
        assertFails(input, Errno.EINVAL, "MR-61", () -> region.reregister(second, 0, 0));
        assertFails(input, Errno.EINVAL, "MR-61", () -> region.reregister(change, null, null, 0, BYTES, 0));
        assertFails(input, Errno.EINVAL, "MR-62", () -> region.reregister(change, null, second, 0, BYTES, RIGHTS));
        assertFails(
                input,
                Errno.EINVAL,
                "MR-69",
                () -> region.reregister(ReregistrationFlags.CHANGE_PD, null, null, 0, 0, 0));
        assertThat(write(ReliableKind.RC.connect(pair, right.pd))).isEqualTo(WcStatus.SUCCESS);
        assertThat(first.buffer().get(0)).isEqualTo(MARK);
        asserted();
    }

    @Test
    @Rule({"MR-63", "MR-64"})
    void whatTheDeviceRefusesIsSaidByItsNumber() {
        MemoryRegion under = right.pd.register(second, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        Connected over = ReliableKind.RC.connect(pair, right.pd);
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 7, BindInfo.of(under, AccessFlags.REMOTE_WRITE));
        over.receiver().postSend(bind);
        assertThat(right.sent()).isSuccess();
        assertFails(ReregistrationError.CMD, Errno.EBUSY, "MR-64", () -> under.reregister(AccessFlags.LOCAL_WRITE));
        assertThat(write(over, under.address(), bind.boundKey())).isEqualTo(WcStatus.SUCCESS);
        assertThat(second.buffer().get(0)).isEqualTo(MARK);

        int rkey = region.rkey();
        assertFails(ReregistrationError.CMD, Errno.EINVAL, "MR-63", () -> region.reregister(AccessFlags.REMOTE_WRITE));
        assertThat(write(over, region.address(), rkey)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, over.receiver());
        assertThat(first.buffer().get(0)).isZero();
        region.close();
    }
}
