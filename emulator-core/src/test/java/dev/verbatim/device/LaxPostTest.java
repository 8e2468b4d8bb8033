// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.profile.PostingSwitches.LaxPost;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is posted too early on devices that say nothing: lost on some, done later on others (D.3). */
class LaxPostTest {

    private static final int LEFT_PSN = 1000;
    private static final int RIGHT_PSN = 2000;

    private static RcPair pairOf(LaxPost lax) {
        DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                .posting(PostingSwitches.STRICT.toBuilder().laxPost(lax).build())
                .build();
        return RcPair.over(Verbatim.inProcess().profile(profile), QpCapabilities.USUAL);
    }

    @SuppressWarnings("ReferenceEquality") // a queue pair is its identity
    private static void bring(RcPair pair, QueuePair qp, QpState to) {
        boolean isLeft = qp == pair.left.qp;
        QpState from = qp.state();
        if (from == QpState.RESET && to != QpState.RESET) {
            qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNumber(1)
                    .accessFlags(Side.ALL_RIGHTS));
        }
        if (from.compareTo(QpState.RTR) < 0 && to.compareTo(QpState.INIT) > 0) {
            qp.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .addressVector(AddressVector.to((isLeft ? pair.right : pair.left).device.gid()))
                    .pathMtu(PathMtu.MTU_1024)
                    .destinationQp((isLeft ? pair.right : pair.left).qp.number())
                    .rqPsn(isLeft ? RIGHT_PSN : LEFT_PSN)
                    .maxDestRdAtomic(1)
                    .minRnrTimer(1));
        }
        if (to == QpState.RTS) {
            RcConnection.USUAL.readyToSend(qp, isLeft ? LEFT_PSN : RIGHT_PSN);
        }
    }

    private static SendWorkRequest write(RcPair pair, long id) {
        return SendWorkRequest.write(id, pair.right.address(8 * (int) id), pair.right.rkey(), pair.left.sge(0, 8));
    }

    @ParameterizedTest
    @CsvSource({"DROP, RESET", "DROP, INIT", "DROP, RTR", "DEFER, RESET", "DEFER, INIT", "DEFER, RTR"})
    @Rule("QP-20")
    void sendsPostedBeforeReadyToSendAreLostOrDoneLater(LaxPost lax, QpState early) {
        try (RcPair pair = pairOf(lax)) {
            pair.left.bytes().putLong(0, 0xfeedL);
            bring(pair, pair.right.qp, QpState.RTS);
            bring(pair, pair.left.qp, early);
            pair.left.qp.postSend(List.of(write(pair, 1), write(pair, 2)));
            assertThat(pair.right.bytes().getLong(8)).isZero();
            bring(pair, pair.left.qp, QpState.RTS);
            pair.left.qp.postSend(write(pair, 3));
            if (lax == LaxPost.DEFER) {
                assertThat(pair.left.sent()).isSuccess().hasId(1);
                assertThat(pair.left.sent()).isSuccess().hasId(2);
            }
            assertThat(pair.left.sent()).isSuccess().hasId(3);
            assertThat(pair.right.bytes().getLong(16)).isEqualTo(lax == LaxPost.DEFER ? 0xfeedL : 0);
            assertThat(pair.left.sendCq.poll(9)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP", "DEFER"})
    @Rule("QP-21")
    void receivesPostedInResetAreLostOrServeLater(LaxPost lax) {
        try (RcPair pair = pairOf(lax)) {
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
            bring(pair, pair.right.qp, QpState.INIT);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(2, pair.right.sge(8, 8)));
            bring(pair, pair.right.qp, QpState.RTS);
            bring(pair, pair.left.qp, QpState.RTS);
            pair.left.qp.postSend(SendWorkRequest.send(3, pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.right.received()).isSuccess().hasId(lax == LaxPost.DEFER ? 1 : 2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP", "DEFER"})
    @Rule("QP-22")
    void onlyWhatWasPutOffIsFlushed(LaxPost lax) {
        try (RcPair pair = pairOf(lax)) {
            pair.left.qp.postRecv(ReceiveWorkRequest.of(1));
            bring(pair, pair.left.qp, QpState.INIT);
            pair.left.qp.postSend(write(pair, 2));
            pair.left.qp.modify(new QpAttributes().state(QpState.ERR));
            if (lax == LaxPost.DEFER) {
                assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
                assertThat(pair.left.received())
                        .hasStatus(WcStatus.WR_FLUSH_ERR)
                        .hasId(1);
            }
            assertThat(pair.left.sendCq.poll(9)).isEmpty();
            assertThat(pair.left.recvCq.poll(9)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP", "DEFER"})
    @Rule("MW-17")
    void bindPostedBeforeReadyToSendShowsItsKeyAndIsLostOrDoneLater(LaxPost lax) {
        try (RcPair pair = pairOf(lax)) {
            MemoryWindow window = pair.left.pd.allocateWindow(MemoryWindowType.TYPE_1);
            MemoryRegion bindable = pair.left.pd.register(Memory.allocate(64), Side.ALL_RIGHTS | AccessFlags.MW_BIND);
            int before = window.rkey();
            pair.left.qp.bindWindow(window, WindowBind.signaled(1, BindInfo.of(bindable, AccessFlags.REMOTE_READ)));
            assertThat(window.rkey()).isEqualTo(Rkey.increment(before));
            bring(pair, pair.left.qp, QpState.RTS);
            bring(pair, pair.right.qp, QpState.RTS);
            pair.right.qp.postSend(SendWorkRequest.read(2, bindable.address(), window.rkey(), pair.right.sge(0, 8)));
            assertThat(pair.right.sent()).hasStatus(lax == LaxPost.DEFER ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
        }
    }
}
