// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The values of attributes at the ends of their ranges and one beyond. */
class QpAttributeValuesTest {

    private static final int MOST_AS_RESPONDER = 11;
    private static final int MOST_AS_REQUESTER = 13;
    private static final DeviceLimits LIMITS = DeviceLimits.DEFAULT.toBuilder()
            .maxQpRdAtom(MOST_AS_RESPONDER)
            .maxQpInitRdAtom(MOST_AS_REQUESTER)
            .activeMtuBytes(1024)
            .build();

    /** An attribute that can be changed in SQD, and its range. */
    private record Range(
            String name,
            String rule,
            BiConsumer<QpAttributes, Integer> set,
            ToIntFunction<QpAttributes> get,
            int least,
            int most) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Range> ranges() {
        return Stream.of(
                new Range("timeout", "QV-01", QpAttributes::timeout, QpAttributes::timeout, 0, 31),
                new Range("retry_cnt", "QV-02", QpAttributes::retryCount, QpAttributes::retryCount, 0, 7),
                new Range("rnr_retry", "QV-02", QpAttributes::rnrRetry, QpAttributes::rnrRetry, 0, 7),
                new Range("min_rnr_timer", "QV-02", QpAttributes::minRnrTimer, QpAttributes::minRnrTimer, 0, 31),
                new Range(
                        "max_rd_atomic",
                        "QV-04",
                        QpAttributes::maxRdAtomic,
                        QpAttributes::maxRdAtomic,
                        0,
                        MOST_AS_REQUESTER),
                new Range(
                        "max_dest_rd_atomic",
                        "QV-04",
                        QpAttributes::maxDestRdAtomic,
                        QpAttributes::maxDestRdAtomic,
                        0,
                        MOST_AS_RESPONDER),
                new Range("port_num", "QV-06", QpAttributes::portNumber, QpAttributes::portNumber, 1, 1),
                new Range("pkey_index", "QV-07", QpAttributes::pkeyIndex, QpAttributes::pkeyIndex, 0, 0));
    }

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess()
            .tap(new RecordingTap())
            .profile(DeviceProfile.STRICT_IBTA.toBuilder().limits(LIMITS).build());

    private final Side side = new Side(rdma.open("side"), new QpCapabilities(4, 4, 4, 4, 64));

    /** A peer that nobody is; its GID stands in address vectors only. */
    private final Gid nobody = Gid.ofGuid(99);

    private QueuePair queuePairIn(QpState state) {
        RcConnection connection = RcConnection.USUAL.withDepth(2);
        QueuePair qp = side.newQueuePair();
        if (state == QpState.INIT) {
            qp.modify(initial());
        } else {
            connection.readyToReceive(qp, new RcConnection.Endpoint(nobody, 5, 6));
            connection.readyToSend(qp, 7);
            qp.modify(new QpAttributes().state(QpState.SQD));
        }
        assertState(qp, state);
        return qp;
    }

    private static QpAttributes initial() {
        return new QpAttributes().state(QpState.INIT).pkeyIndex(0).portNumber(1).accessFlags(0);
    }

    private QpAttributes receiving() {
        return new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(nobody))
                .pathMtu(PathMtu.MTU_256)
                .destinationQp(5)
                .rqPsn(6)
                .maxDestRdAtomic(1)
                .minRnrTimer(1);
    }

    @ParameterizedTest
    @MethodSource("ranges")
    @Rule({"QV-01", "QV-02", "QV-04", "QV-06", "QV-07"})
    void valueIsAcceptedWithinItsRangeAndRefusedOneBeyond(Range range) {
        for (int value : new int[] {range.least, range.most}) {
            QueuePair qp = queuePairIn(QpState.SQD);
            QpAttributes values = new QpAttributes();
            range.set.accept(values, value);
            qp.modify(values);
            assertThat(range.get.applyAsInt(qp.query())).isEqualTo(value);
        }
        for (int value : new int[] {range.least - 1, range.most + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            QueuePair qp = queuePairIn(QpState.SQD);
            int before = range.get.applyAsInt(qp.query());
            QpAttributes values = new QpAttributes();
            range.set.accept(values, value);
            assertRefused(Errno.EINVAL, range.rule, () -> qp.modify(values), range.name + "=" + value);
            assertThat(range.get.applyAsInt(qp.query())).isEqualTo(before);
        }
    }

    @Test
    @Rule("QS-04")
    void oneBadValueAmongGoodOnesChangesNone() {
        QueuePair qp = queuePairIn(QpState.SQD);
        assertRefused(
                Errno.EINVAL,
                "QV-02",
                () -> qp.modify(new QpAttributes().timeout(20).retryCount(1).rnrRetry(8)));
        assertThat(qp.query().timeout()).isEqualTo(RcConnection.USUAL.timeout());
        assertThat(qp.query().retryCount()).isEqualTo(RcConnection.USUAL.retryCount());
        assertState(qp, QpState.SQD);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("QV-03")
    void pathMtuUpToThatOfThePortIsAccepted(PathMtu mtu) {
        QueuePair qp = queuePairIn(QpState.INIT);
        if (mtu.bytes() <= LIMITS.activeMtuBytes()) {
            qp.modify(receiving().pathMtu(mtu));
            assertThat(qp.query().pathMtu()).isEqualTo(mtu);
        }
        QueuePair other = queuePairIn(QpState.INIT);
        assertRefused(Errno.EINVAL, "QV-03", () -> other.modify(receiving().pathMtu(PathMtu.MTU_2048)), "2048", "1024");
        assertState(other, QpState.INIT);
    }

    @Test
    @Rule("QV-09")
    void destinationNumberWiderThan24BitsIsRefused() {
        QueuePair qp = queuePairIn(QpState.INIT);
        for (int number : new int[] {1 << 24, -1}) {
            assertRefused(Errno.EINVAL, "QV-09", () -> qp.modify(receiving().destinationQp(number)));
        }
        assertState(qp, QpState.INIT);
        qp.modify(receiving().destinationQp((1 << 24) - 1));
        assertThat(qp.query().destinationQp()).isEqualTo((1 << 24) - 1);
    }

    @Test
    @Rule("QV-10")
    void addressVectorWithoutGrhIsRefused() {
        QueuePair qp = queuePairIn(QpState.INIT);
        AddressVector local = new AddressVector(nobody, false, 1, 0, 0, 64, 0, 0);
        assertRefused(Errno.EINVAL, "QV-10", () -> qp.modify(receiving().addressVector(local)), "GRH");
        assertState(qp, QpState.INIT);
        QueuePair drained = queuePairIn(QpState.SQD);
        assertRefused(Errno.EINVAL, "QV-10", () -> drained.modify(new QpAttributes().addressVector(local)));
        assertThat(drained.query().addressVector()).isEqualTo(AddressVector.to(nobody));
    }

    @Test
    @Rule({"QV-06", "QV-10"})
    void addressVectorOverAnotherPortOrGidIsRefused() {
        QueuePair qp = queuePairIn(QpState.INIT);
        for (int port : new int[] {0, 2}) {
            AddressVector vector = new AddressVector(nobody, true, port, 0, 0, 64, 0, 0);
            assertRefused(Errno.EINVAL, "QV-06", () -> qp.modify(receiving().addressVector(vector)));
        }
        AddressVector vector = new AddressVector(nobody, true, 1, 1, 0, 64, 0, 0);
        assertRefused(Errno.EINVAL, "QV-10", () -> qp.modify(receiving().addressVector(vector)), "sgid_index=1");
        assertState(qp, QpState.INIT);
    }

    @Test
    @Rule("QV-10")
    void addressVectorWithAFieldThatIsTooLargeIsRefused() {
        QueuePair qp = queuePairIn(QpState.INIT);
        AddressVector usual = AddressVector.to(nobody);
        Map<AddressVector, String> wrong = Map.of(
                usual.withGrh(256, 0, 64),
                "traffic_class=256 is not in 0..255",
                usual.withGrh(-1, 0, 64),
                "traffic_class=-1",
                usual.withGrh(0, 1 << 20, 64),
                "flow_label=1048576 is not in 0..1048575",
                usual.withGrh(0, 0, 256),
                "hop_limit=256 is not in 0..255",
                new AddressVector(nobody, true, 1, 0, 0, 64, 0, 16),
                "sl=16 is not in 0..15");
        wrong.forEach((vector, sentence) -> {
            assertRefused(Errno.EINVAL, "QV-10", () -> qp.modify(receiving().addressVector(vector)), sentence);
            assertRefused(Errno.EINVAL, "QV-10", () -> side.pd.createAddressHandle(vector), sentence);
        });
        assertState(qp, QpState.INIT);
        AddressVector largest = new AddressVector(nobody, true, 1, 0, (1 << 20) - 1, 255, 255, 15);
        side.pd.createAddressHandle(largest).close();
        qp.modify(receiving().addressVector(largest));
        assertThat(qp.query().addressVector()).isEqualTo(largest);
    }

    @Test
    @Rule("QV-05")
    void packetSequenceNumbersAreTakenModulo24Bits() {
        RcConnection connection = RcConnection.USUAL.withDepth(2);
        QueuePair left = side.newQueuePair();
        QueuePair right = side.newQueuePair();
        connection.readyToReceive(left, RcConnection.Endpoint.of(right, 0x7f00_0001));
        connection.readyToReceive(right, RcConnection.Endpoint.of(left, -1));
        connection.readyToSend(right, 1);
        connection.readyToSend(left, 0xff_ffff);

        assertThat(left.query().rqPsn()).isEqualTo(1);
        assertThat(right.query().rqPsn()).isEqualTo(0xff_ffff);
        for (QueuePair qp : List.of(left, right)) {
            qp.postSend(SendWorkRequest.write(1, side.address(0), side.rkey(), side.sge(64, 8)));
            Outcomes.assertThat(side.sent()).isSuccess();
        }
    }

    @Test
    @Rule("QV-08")
    void accessFlagsOtherThanRemoteRightsAreToleratedWithoutEffect() {
        RcConnection connection = RcConnection.USUAL.withDepth(2);
        QueuePair asking = side.newQueuePair();
        QueuePair asked = side.newQueuePair();
        int noRemoteRight = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | AccessFlags.RELAXED_ORDERING;
        connection.withAccess(noRemoteRight).join(asked, asking);
        asking.postSend(SendWorkRequest.write(1, side.address(0), side.rkey(), side.sge(64, 8)));
        Outcomes.assertThat(side.sent()).hasStatus(dev.verbatim.verbs.WcStatus.REM_INV_REQ_ERR);
        assertState(asked, QpState.ERR);

        QueuePair second = side.newQueuePair();
        QueuePair third = side.newQueuePair();
        connection.withAccess(noRemoteRight | AccessFlags.REMOTE_WRITE).join(second, third);
        third.postSend(SendWorkRequest.write(2, side.address(0), side.rkey(), side.sge(64, 8)));
        Outcomes.assertThat(side.sent()).isSuccess().hasId(2);
    }

    @Test
    @Rule("QV-12")
    void queuePairConnectedToItselfWorks() {
        QueuePair self = side.newQueuePair();
        RcConnection.USUAL.withDepth(2).join(self, self);
        side.bytes().putLong(64, 42);
        self.postRecv(dev.verbatim.verbs.ReceiveWorkRequest.of(1, side.sge(128, 8)));
        self.postSend(SendWorkRequest.write(2, side.address(0), side.rkey(), side.sge(64, 8)));
        self.postSend(SendWorkRequest.read(3, side.address(0), side.rkey(), side.sge(72, 8)));
        self.postSend(SendWorkRequest.send(4, side.sge(64, 8)));
        for (int id = 2; id <= 4; id++) {
            Outcomes.assertThat(side.sent()).isSuccess().hasId(id);
        }
        Outcomes.assertThat(side.received()).isSuccess().hasByteLength(8);
        assertThat(side.bytes().getLong(0)).isEqualTo(42);
        assertThat(side.bytes().getLong(72)).isEqualTo(42);
        assertThat(side.bytes().getLong(128)).isEqualTo(42);
    }
}
