// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.queue.ArrivedDatagrams;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What only UC, UD and shared receive queues have, in traces written by hand. */
class TransportTest {

    private static final byte[] ONE = {1};
    private static final int MTU = 256;
    private static final int GRH_BYTES = ArrivedDatagrams.GRH_BYTES;

    private final Story story = Story.connected();

    private static SendWorkRequest send(long id) {
        return SendWorkRequest.send(id, new Sge(LEFT + id, 1, KEY));
    }

    private static ReceiveWorkRequest receive(long id) {
        return ReceiveWorkRequest.of(id, new Sge(RIGHT + 16 * id, 4, KEY));
    }

    /** A message of one byte leaves over UC. */
    private void sendsUnreliably(int id) {
        story.left.posts(send(id)).left.starts(id, id, 1).left.gathers(id, LEFT + id, ONE);
        story.left.sends(Opcode.UC_SEND_ONLY, id).left.completes(id, WcOpcode.SEND, 0);
    }

    private void arrivesUnreliably(int id, long where) {
        story.right.receives(Opcode.UC_SEND_ONLY, id, story.left).right.places(id, where, ONE);
    }

    @Test
    void messagesOverUcMayBeLost() {
        story.right.posts(receive(1));
        sendsUnreliably(1);
        sendsUnreliably(2);
        arrivesUnreliably(2, RIGHT + 16);
        story.right.completes(1, WcOpcode.RECV, 1).isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
    }

    @Test
    void messageOverUcMustBeWholeWhenItIsReceived() {
        story.right.posts(ReceiveWorkRequest.of(1, new Sge(RIGHT, MTU, KEY)));
        SendWorkRequest request = SendWorkRequest.send(1, new Sge(LEFT, MTU, KEY), new Sge(LEFT, 1, KEY));
        byte[] first = new byte[MTU];
        Arrays.fill(first, (byte) 1);
        story.left
                .posts(request)
                .left
                .starts(1, 1, 2)
                .left
                .gathers(1, LEFT, first)
                .left
                .gathers(2, LEFT, ONE);
        story.left.sends(Opcode.UC_SEND_FIRST, 1).left.sends(Opcode.UC_SEND_LAST, 2);
        story.left.completes(1, WcOpcode.SEND, 0);
        story.right.receives(Opcode.UC_SEND_FIRST, 1, story.left).right.places(1, RIGHT, first);
        story.isPermitted();
        story.right.completes(1, WcOpcode.RECV, MTU + 1).isForbiddenBy(Check.WHOLE_MESSAGE);
    }

    @Test
    void messageOverUcMustNotBeReceivedTwice() {
        story.right.posts(receive(1)).right.posts(receive(2));
        sendsUnreliably(1);
        arrivesUnreliably(1, RIGHT + 16);
        story.right.completes(1, WcOpcode.RECV, 1).isPermitted();
        story.right.completes(2, WcOpcode.RECV, 1).isForbiddenBy(Check.WHOLE_MESSAGE);
    }

    @Test
    void queuePairOfUcFailsItsRequestsInSqeAndRecovers() {
        story.left.posts(send(1)).left.posts(send(2)).left.enters(QpState.RTS, QpState.SQE);
        story.left.fails(1, WcOpcode.SEND, WcStatus.LOC_PROT_ERR);
        story.left.fails(2, WcOpcode.SEND, WcStatus.WR_FLUSH_ERR).left.enters(QpState.SQE, QpState.RTS);
        sendsUnreliably(3);
        story.isPermitted();
    }

    @Test
    void reliableQueuePairHasNoSqe() {
        story.right
                .posts(receive(1))
                .left
                .posts(send(1))
                .left
                .starts(1, 1, 1)
                .left
                .gathers(1, LEFT + 1, ONE);
        story.left.sends(Opcode.SEND_ONLY, 1).left.enters(QpState.RTS, QpState.SQE);
        story.left.fails(1, WcOpcode.SEND, WcStatus.LOC_PROT_ERR).isForbiddenBy(Check.ERROR_STATE);
    }

    @Test
    void nothingOfAnUnreliableQueuePairFailsInRts() {
        story.left.posts(send(1)).left.sends(Opcode.UC_SEND_ONLY, 1);
        story.left.fails(1, WcOpcode.SEND, WcStatus.LOC_PROT_ERR).isForbiddenBy(Check.ERROR_STATE);
    }

    /** A datagram of one byte comes, with the room for its GRH. */
    private void datagramComes(int psn) {
        story.left.posts(datagram(psn)).left.starts(psn, psn, 1).left.gathers(psn, LEFT + psn, ONE);
        story.left.sends(Opcode.UD_SEND_ONLY, psn).left.completes(psn, WcOpcode.SEND, 0);
        story.right.receives(Opcode.UD_SEND_ONLY, psn, story.left);
    }

    private SendWorkRequest datagram(long id) {
        return send(id).to(new StoryAddress(Gid.ofGuid(2)), story.right.qp, 5);
    }

    private void datagramIsPlaced(int psn, long where) {
        story.right.places(psn, where, new byte[GRH_BYTES]).right.places(psn, where + GRH_BYTES, ONE);
    }

    @Test
    void datagramsAreReceivedBehindTheirGrhOrDropped() {
        story.right.posts(ReceiveWorkRequest.of(1, new Sge(RIGHT, 64, KEY)));
        datagramComes(1);
        story.right.drops(Opcode.UD_SEND_ONLY, 1, story.left);
        datagramComes(2);
        datagramIsPlaced(2, RIGHT);
        story.right.completes(1, WcOpcode.RECV, GRH_BYTES + 1).isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
    }

    @Test
    void datagramThatWasDroppedMustNotBeReceived() {
        story.right.posts(ReceiveWorkRequest.of(1, new Sge(RIGHT, 64, KEY)));
        story.right.posts(ReceiveWorkRequest.of(2, new Sge(RIGHT + 64, 64, KEY)));
        datagramComes(1);
        datagramIsPlaced(1, RIGHT);
        story.right.completes(1, WcOpcode.RECV, GRH_BYTES + 1);
        datagramComes(2);
        story.right.drops(Opcode.UD_SEND_ONLY, 2, story.left).isPermitted();
        datagramComes(3);
        story.right.completes(2, WcOpcode.RECV, GRH_BYTES + 1).isForbiddenBy(Check.DATAGRAM_ONCE);
    }

    @Test
    void datagramMustNotBeginWhereItsGrhBelongs() {
        story.right.posts(ReceiveWorkRequest.of(1, new Sge(RIGHT, 64, KEY)));
        datagramComes(1);
        story.right.places(1, RIGHT, new byte[GRH_BYTES]).isPermitted();
        story.right.places(1, RIGHT, ONE).isForbiddenBy(Check.RECEIVE_ORDER);
    }

    @Test
    void sharedReceiveBelongsToTheQueuePairThatTookIt() {
        story.right.postsShared(receive(1)).right.postsShared(receive(2));
        story.left.posts(send(1)).left.starts(1, 1, 1).left.gathers(1, LEFT + 1, ONE);
        story.right.takes(1).right.places(1, RIGHT + 16, ONE);
        story.right.completes(1, WcOpcode.RECV, 1).isPermitted();
        story.right.takes(1).isForbiddenBy(Check.SHARED_RECEIVE_ONCE);
    }

    @Test
    void sharedReceiveThatNobodyPostedMustNotBeTaken() {
        story.right.postsShared(receive(1)).right.takes(2).isForbiddenBy(Check.SHARED_RECEIVE_ONCE);
    }

    @Test
    void queuePairInErrTakesNoSharedReceive() {
        story.right
                .postsShared(receive(1))
                .right
                .enters(QpState.RTS, QpState.ERR)
                .isPermitted();
        story.right.takes(1).isForbiddenBy(Check.EFFECT_AFTER_ERROR);
    }

    private void twoAreLeftOfThree(int limit) {
        story.right.postsShared(receive(1)).right.postsShared(receive(2)).right.postsShared(receive(3));
        story.right.limits(limit).right.takes(1).isPermitted();
    }

    @Test
    void limitIsToldOfOnceWhenFewerAreLeft() {
        twoAreLeftOfThree(3);
        story.right.takes(2).right.tellsLimitReached().isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
        story.right.tellsLimitReached().isForbiddenBy(Check.SHARED_RECEIVE_LIMIT);
    }

    @Test
    void limitMustNotBeToldOfWhenAsManyAreLeft() {
        twoAreLeftOfThree(2);
        story.right.tellsLimitReached().isForbiddenBy(Check.SHARED_RECEIVE_LIMIT);
    }

    @Test
    void limitThatIsNotToldOfIsFoundAtTheEndUnlessTheQueueIsGone() {
        twoAreLeftOfThree(3);
        assertThat(story.verdictAtEnd().violations())
                .extracting(Violation::check)
                .containsExactly(Check.SHARED_RECEIVE_LIMIT);
        story.right.limits(0);
        assertThat(story.verdictAtEnd().violations()).isEmpty();
    }

    @Test
    void sharedReceiveThatNobodyTookMustNotComplete() {
        story.right.postsShared(receive(1)).right.enters(QpState.RTS, QpState.ERR);
        assertThat(story.verdictAtEnd().violations()).isEmpty();
        story.right.fails(1, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR).isForbiddenBy(Check.ONE_COMPLETION);
    }

    @Test
    void sharedReceiveThatWasTakenIsFlushedWithItsQueuePair() {
        story.right.postsShared(receive(1)).right.takes(1).right.enters(QpState.RTS, QpState.ERR);
        story.right.raises(EventType.QP_LAST_WQE_REACHED);
        assertThat(story.verdictAtEnd().violations())
                .extracting(Violation::check)
                .containsExactly(Check.ONE_COMPLETION);
        story.right.fails(1, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR).isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
    }

    @Test
    void queuePairWithSharedReceivesSaysOnceInErrThatItTakesNoMore() {
        story.right.postsShared(receive(1)).right.takes(1).right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR);
        assertThat(story.verdictAtEnd().violations())
                .extracting(Violation::check)
                .containsExactly(Check.LAST_SHARED_RECEIVE);
        story.right.raises(EventType.QP_LAST_WQE_REACHED).isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
        story.right.raises(EventType.QP_LAST_WQE_REACHED).isForbiddenBy(Check.LAST_SHARED_RECEIVE);
    }

    @Test
    void queuePairThatIsNotInErrMayTakeMore() {
        story.right.postsShared(receive(1)).right.takes(1).isPermitted();
        story.right.raises(EventType.QP_LAST_WQE_REACHED).isForbiddenBy(Check.LAST_SHARED_RECEIVE);
    }

    @Test
    void queuePairWithReceivesOfItsOwnHasNoLastSharedOne() {
        story.right.posts(receive(1)).right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR).isPermitted();
        story.right.raises(EventType.QP_LAST_WQE_REACHED).isForbiddenBy(Check.LAST_SHARED_RECEIVE);
    }

    @Test
    void communicationIsEstablishedOnceAndInRtr() {
        story.right.raises(EventType.COMM_EST).isForbiddenBy(Check.ESTABLISHED_ONCE);
    }

    @Test
    void communicationIsNotEstablishedTwice() {
        story.right.enters(QpState.RTS, QpState.RESET).right.enters(QpState.RESET, QpState.INIT);
        story.right
                .enters(QpState.INIT, QpState.RTR)
                .right
                .raises(EventType.COMM_EST)
                .isPermitted();
        story.right.raises(EventType.COMM_EST).isForbiddenBy(Check.ESTABLISHED_ONCE);
    }
}
