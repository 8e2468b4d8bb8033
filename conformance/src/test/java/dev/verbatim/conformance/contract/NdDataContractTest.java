// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data in the words of NetworkDirect: ndmval and NdSendNoReceive (5.1), limits and fences of Reads. */
@OnEveryFabric
class NdDataContractTest {

    private static final int KILO = 1024;
    private static final int PIECE = 1 << 14;

    @Parameter
    FabricKind fabric;

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void ndmval_receiveThatIsTooSmallFailsAtBothEnds(Statuses whose) {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.withStatuses(whose))) {
            boolean reference = whose == Statuses.REFERENCE;
            assertThat(pair.owner.qp.receive("receive", pair.owner.sge(0, KILO - 1)))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.peer.qp.send("send", pair.peer.sge(0, KILO), 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(
                    reference ? NdStatus.DATA_OVERRUN : NdStatus.BUFFER_OVERFLOW, NdRequestType.RECEIVE, "receive");
            pair.peer.expect(reference ? NdStatus.DATA_ERROR : NdStatus.REMOTE_ERROR, NdRequestType.SEND, "send");
        }
    }

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void remoteAccessFaultHasTheStatusOfTheProfile(Statuses whose) {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.withStatuses(whose))) {
            NdResult result = pair.write(0x12345678, pair.owner.address(0), 8);
            assertThat(result.status())
                    .isEqualTo(whose == Statuses.REFERENCE ? NdStatus.ACCESS_VIOLATION : NdStatus.REMOTE_ERROR);
        }
    }

    @Test
    void ndSendNoReceive_sendWithoutAReceiveTimesOutAndTheOtherSideSeesNothing() {
        try (NdPair pair = NdPair.open(fabric)) {
            assertThat(pair.peer.qp.send("send", pair.peer.sge(0, NdSide.BYTES), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.peer.expect(NdStatus.IO_TIMEOUT, NdRequestType.SEND, "send");
            assertThat(pair.owner.poll()).isNull();
        }
    }

    @Test
    void readsBeyondTheLimitWaitForThoseBeforeThem() {
        try (NdPair pair = NdPair.unconnected(fabric, NdProfile.REFERENCE, NdSide.Sizes.USUAL)) {
            NdSide.connect(pair.peer.qp, pair.owner.qp, 2, 1);
            for (int i = 0; i < 20; i++) {
                assertThat(pair.peer.qp.read(
                                i, pair.peer.sge(i * 64, 64), pair.owner.address(i * 64), token(pair.owner), 0))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            for (int i = 0; i < 20; i++) {
                pair.peer.succeeds(NdRequestType.READ, i);
            }
            assertThat(pair.peersBytes(0, 20 * 64)).isEqualTo(pair.ownersBytes(0, 20 * 64));
        }
    }

    private static int token(NdSide side) {
        return side.mr.getRemoteToken();
    }

    @Test
    void fencedSendDoesNotOvertakeTheReadBeforeIt() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdSge[] read = pair.peer.sge(0, PIECE);
            assertThat(pair.owner.qp.receive("receive", pair.owner.sge(PIECE, PIECE)))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.peer.qp.read(
                            "read", read, pair.owner.address(0), token(pair.owner), NdOpFlags.SILENT_SUCCESS))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.peer.qp.send("send", read, NdOpFlags.READ_FENCE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.succeeds(NdRequestType.RECEIVE, "receive").bytesTransferred())
                    .isEqualTo(PIECE);
            pair.peer.succeeds(NdRequestType.SEND, "send");
            assertThat(pair.ownersBytes(PIECE, PIECE)).isEqualTo(pair.ownersBytes(0, PIECE));
        }
    }
}
