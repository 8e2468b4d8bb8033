// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.UdReadiness;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams, on every fabric. */
@ParameterizedClass
@EnumSource(FabricKind.class)
@Timeout(60)
class DatagramContractTest {

    private static final int HALF = Side.REGION_BYTES / 2;
    private static final int KEY = 0x1234;
    private static final int MTU = 4096;

    @Parameter
    FabricKind fabric;

    private RcPair pair;
    private Side left;
    private Side right;
    private QueuePair sender;
    private QueuePair receiver;

    @BeforeEach
    void open() {
        pair = fabric.openUnjudged(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA);
        left = pair.left;
        right = pair.right;
        sender = queuePair(left);
        receiver = queuePair(right);
        new UdReadiness(KEY).prepare(sender, receiver);
        left.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static QueuePair queuePair(Side side) {
        return side.pd.createQp(QpInitAttributes.ud(side.sendCq, side.recvCq, QpCapabilities.USUAL));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 1025, MTU})
    @Rule({"UD-01", "TV-13", "WC-02"})
    void datagramLiesBehindItsGrhAndCanBeAnswered(int count) {
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
        sender.postRecv(ReceiveWorkRequest.of(12, left.sge(HALF, HALF)));
        sender.postSend(
                SendWorkRequest.sendWithImmediate(1, 77, left.sge(0, count)).to(there, receiver.number(), KEY));
        assertThat(left.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.SEND);
        WorkCompletion received = right.received();
        assertThat(received)
                .isSuccess()
                .hasId(11)
                .hasOpcode(WcOpcode.RECV)
                .hasByteLength(Grh.BYTES + count)
                .hasFlags(WcFlags.GRH | WcFlags.WITH_IMM);
        assertThat(received.sourceQp()).isEqualTo(sender.number());
        assertThat(received.pkeyIndex()).isZero();
        assertThat(received.immediate()).isEqualTo(77);
        byte[] bytes = new byte[count];
        right.bytes().get(Grh.BYTES, bytes);
        assertThat(bytes).isEqualTo(Packets.pattern(0, count));
        Grh grh = Grh.parse(right.bytes(), 0);
        assertThat(grh.source()).isEqualTo(left.device.gid());
        assertThat(grh.destination()).isEqualTo(right.device.gid());
        asserted();

        try (AddressHandle back = right.pd.createAddressHandle(received, grh, 1)) {
            receiver.postSend(SendWorkRequest.send(2, right.sge(0, 8)).to(back, received.sourceQp(), KEY));
            assertThat(right.sent()).isSuccess().hasId(2);
            assertThat(left.received()).isSuccess().hasId(12).hasByteLength(Grh.BYTES + 8);
        }
    }
}
