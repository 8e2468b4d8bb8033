// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Null regions on both sides, with messages of one packet and of many. */
class NullRegionTest {

    private static final long SOMEWHERE = 0x7fff_1234_5678L;

    @AutoClose
    private final RcPair pair = RcPair.over(
                    Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE), QpCapabilities.USUAL)
            .connect(RcPair.WITHOUT_TIMER);

    private final Side left = pair.left;
    private final Side right = pair.right;
    private final MemoryRegion ours = left.pd.allocateNullRegion();
    private final MemoryRegion theirs = right.pd.allocateNullRegion();

    private static Sge nothing(MemoryRegion region, int lengthBytes) {
        return new Sge(SOMEWHERE, lengthBytes, region.lkey());
    }

    private static void fill(Side side, int count) {
        for (int i = 0; i < count; i++) {
            side.bytes().put(i, (byte) 0x5a);
        }
    }

    private static boolean holds(Side side, int count, int value) {
        for (int i = 0; i < count; i++) {
            if (side.bytes().get(i) != (byte) value) {
                return false;
            }
        }
        return true;
    }

    @Rule("MR-75")
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 64, 5000, 60_000})
    void writeFromItWritesZeros(int count) {
        fill(right, count + 1);
        left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), nothing(ours, count)));
        assertThat(left.sent()).isSuccess();
        assertThat(holds(right, count, 0)).isTrue();
        assertThat(right.bytes().get(count)).isEqualTo((byte) 0x5a);
    }

    @Rule("MR-75")
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 64, 5000, 60_000})
    void readAndReceiveIntoItAreDropped(int count) {
        fill(left, count);
        right.qp.postRecv(ReceiveWorkRequest.of(1, nothing(theirs, count)));
        left.qp.postSend(SendWorkRequest.send(2, left.sge(0, count)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasByteLength(count);
        left.qp.postSend(SendWorkRequest.read(3, right.address(0), right.rkey(), nothing(ours, count)));
        assertThat(left.sent()).isSuccess();
        left.qp.postSend(SendWorkRequest.write(4, right.address(0), right.rkey(), nothing(ours, count)));
        assertThat(left.sent()).as("it still reads as zeros").isSuccess();
        assertThat(holds(right, count, 0)).isTrue();
    }

    @Test
    @Rule("MR-75")
    void partOfAMessageIsSkipped() {
        fill(left, 12);
        right.qp.postRecv(ReceiveWorkRequest.of(1, right.sge(0, 4), nothing(theirs, 4), right.sge(4, 4)));
        left.qp.postSend(SendWorkRequest.send(2, left.sge(0, 4), nothing(ours, 4), left.sge(0, 4)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess();
        assertThat(holds(right, 8, 0x5a)).isTrue();
        assertThat(right.bytes().get(8)).isZero();
    }

    @Test
    void requestsOfOnePacketOnTheFastPathFindNothingEither() {
        try (Verbatim rdma = Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE)) {
            Side one = new Side(rdma.open("one"), QpCapabilities.USUAL);
            Side other = new Side(rdma.open("other"), QpCapabilities.USUAL);
            RcPair.WITHOUT_TIMER.join(one.qp, other.qp);
            fill(one, 64);
            MemoryRegion from = one.pd.allocateNullRegion();
            MemoryRegion into = other.pd.allocateNullRegion();
            other.qp.postRecv(ReceiveWorkRequest.of(1, nothing(into, 64)));
            one.qp.postSend(SendWorkRequest.send(2, one.sge(0, 64)));
            assertThat(one.sent()).isSuccess();
            assertThat(other.received()).isSuccess().hasByteLength(64);
            fill(other, 64);
            one.qp.postSend(SendWorkRequest.read(3, other.address(0), other.rkey(), nothing(from, 64)));
            assertThat(one.sent()).isSuccess();
            one.qp.postSend(SendWorkRequest.fetchAndAdd(4, other.address(64), other.rkey(), 5, nothing(from, 8)));
            assertThat(one.sent()).isSuccess();
            one.qp.postSend(SendWorkRequest.write(5, other.address(0), other.rkey(), nothing(from, 64)));
            assertThat(one.sent()).isSuccess();
            assertThat(holds(other, 64, 0)).isTrue();
        }
    }

    @Test
    void sanitizerHasNothingAgainstIt() {
        Sanitizer sanitizer = Sanitizer.withSites();
        try (Verbatim rdma =
                Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE).sanitize(sanitizer)) {
            RcPair watched = RcPair.over(rdma, QpCapabilities.USUAL).connect(RcPair.WITHOUT_TIMER);
            MemoryRegion region = watched.left.pd.allocateNullRegion();
            Sge target = watched.right.sge(0, 64);
            watched.left.qp.postSend(
                    SendWorkRequest.write(1, target.address(), watched.right.rkey(), nothing(region, 64)));
            assertThat(watched.left.sent()).isSuccess();
            region.close();
        }
        assertThat(sanitizer.errors()).isEmpty();
    }

    @Test
    @Rule("MR-75")
    void resultOfAnAtomicIsDropped() {
        left.qp.postSend(SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 5, nothing(ours, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.bytes().getLong(0)).isEqualTo(5);
    }

    @Test
    @Rule({"MR-75", "MR-40"})
    void keyIsLocalAndOfItsDomainAndEndsWithTheRegion() {
        assertThat(ours.rkey()).isZero();
        assertThat(ours.address()).isZero();
        left.qp.postSend(SendWorkRequest.write(1, SOMEWHERE, theirs.lkey(), left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        ours.close();
        assertRefused(Errno.ENOENT, "MR-56", ours::close);
        left.pd.allocateNullRegion().close();
        assertRefused(Errno.EBUSY, "PD-01", right.pd::close, "regions=2");
    }

    @Test
    @Rule("MR-75")
    void strictDeviceHasNone() {
        try (RcPair strict = RcPair.inProcess()) {
            assertRefused(Errno.EOPNOTSUPP, "MR-75", strict.left.pd::allocateNullRegion, "STRICT_IBTA");
        }
    }

    @Test
    @Rule("MR-76")
    void regionIsNeitherReregisteredNorBoundTo() {
        assertThatThrownBy(() -> theirs.reregister(AccessFlags.LOCAL_WRITE))
                .isInstanceOfSatisfying(ReregistrationException.class, refused -> {
                    assertThat(refused.error()).isEqualTo(ReregistrationError.INPUT);
                    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
                });
        BindInfo info = new BindInfo(theirs, SOMEWHERE, 8, AccessFlags.REMOTE_READ);
        MemoryWindow first = right.pd.allocateWindow(MemoryWindowType.TYPE_1);
        assertRefused(
                Errno.EOPNOTSUPP,
                "MR-76",
                () -> right.qp.bindWindow(first, WindowBind.signaled(1, info)),
                "null region");
        MemoryWindow second = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        right.qp.postSend(SendWorkRequest.bindWindow(2, second, 0x41, info));
        assertThat(right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
    }
}
