// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the methods of a queue pair refuse at once (1.7), and Flush. */
class NdQueuePairTest {

    private static final int FLAGS = 0x40;
    private static final NdSide.Sizes SMALL = new NdSide.Sizes(64, 3, 3, 2, 64);

    @AutoClose
    private Verbatim rdma;

    private NdSide left;
    private NdSide right;
    private NdMemoryWindow window;

    @BeforeEach
    void open() {
        rdma = Verbatim.inProcess();
        left = new NdSide(rdma.open("left"), NdProfile.REFERENCE, SMALL);
        right = new NdSide(rdma.open("right"), NdProfile.REFERENCE, SMALL);
        window = left.adapter.createMemoryWindow();
    }

    /** A method by what it is called with, the flags that it has, and the status for others. */
    private record Method(String name, int flags, NdStatus otherFlags, IntFunction<NdStatus> call) {}

    private List<Method> initiatorMethods() {
        NdSge[] sge = left.sge(0, 8);
        return List.of(
                new Method("Send", 0x27, NdStatus.INVALID_PARAMETER_4, flags -> left.qp.send(1, sge, flags)),
                new Method("Read", 0x03, NdStatus.INVALID_PARAMETER_6, flags -> left.qp.read(1, sge, 0, 0, flags)),
                new Method("Write", 0x23, NdStatus.INVALID_PARAMETER_6, flags -> left.qp.write(1, sge, 0, 0, flags)),
                new Method(
                        "Bind",
                        0x1b,
                        NdStatus.INVALID_PARAMETER_6,
                        flags -> left.qp.bind(1, left.mr, window, left.address(0), 8, flags)),
                new Method(
                        "Invalidate",
                        0x03,
                        NdStatus.INVALID_PARAMETER_3,
                        flags -> left.qp.invalidate(1, window, flags)));
    }

    @Test
    void everyCombinationOfFlagsIsAcceptedOrRefusedByItsParameterNumber() {
        NdSide.connect(left, right);
        assertThat(left.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        for (Method method : initiatorMethods()) {
            for (int flags = 0; flags < 2 * FLAGS; flags++) {
                NdStatus status = method.call().apply(flags);
                boolean isKnown = (flags & ~method.flags()) == 0;
                assertThat(status.equals(method.otherFlags()))
                        .as("%s with flags 0x%x: %s", method.name(), flags, status)
                        .isEqualTo(!isKnown);
                drain();
            }
        }
    }

    private List<NdResult> drain() {
        List<NdResult> results = new ArrayList<>();
        for (NdResult result = left.poll(); result != null; result = left.poll()) {
            results.add(result);
        }
        return results;
    }

    @Test
    void initiatorNeedsAConnectionAndReceivesDoNot() {
        for (Method method : initiatorMethods()) {
            NdStatus status = method.call().apply(0);
            assertThat(status).as(method.name()).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(status.explanation())
                    .contains("qp " + left.qp.verbs().number(), "is in INIT", "CompleteConnect");
        }
        assertThat(left.qp.receive("receive", left.sge(0, 8))).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.verbs().state()).isEqualTo(QpState.INIT);
        assertThat(drain()).isEmpty();
    }

    @Test
    void afterAConnectionRequestsAreAcceptedAndCancelledButWindowsStayAsTheyAre() {
        NdSide.connect(left, right);
        left.qp.disconnected();
        assertThat(left.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        for (Method method : initiatorMethods()) {
            boolean isOfWindow = method.name().equals("Bind") || method.name().equals("Invalidate");
            NdStatus status = method.call().apply(0);
            assertThat(status).as(method.name()).isEqualTo(isOfWindow ? NdStatus.CONNECTION_INVALID : NdStatus.SUCCESS);
            assertThat(isOfWindow).isEqualTo(status.explanation().contains("before either side disconnects"));
        }
        assertThat(left.qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(drain()).hasSize(4).allMatch(result -> result.status().equals(NdStatus.CANCELED));
    }

    @Test
    void ndReceiveFlushQp_receivesOfAnUnconnectedQueuePairAreCancelled() {
        assertThat(left.qp.receive("first", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.receive("second", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        NdOverlapped overlapped = new NdOverlapped();
        assertThat(left.cq.notify(NdNotifyType.ANY, overlapped)).isEqualTo(NdStatus.PENDING);
        assertThat(left.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.cq.getOverlappedResult(overlapped, true)).isEqualTo(NdStatus.SUCCESS);
        NdResult[] results = NdResult.array(3);
        assertThat(left.cq.getResults(results)).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(results[i].status()).isEqualTo(NdStatus.CANCELED);
            assertThat(results[i].requestType()).isEqualTo(NdRequestType.RECEIVE);
            assertThat(results[i].requestContext()).isEqualTo(i == 0 ? "first" : "second");
            assertThat(results[i].queuePairContext()).isEqualTo("qp");
        }
    }

    @Test
    void tooManyElementsAreADataOverrun() {
        NdSide.connect(left, right);
        NdSge[] three = {left.mr.sge(0, 1), left.mr.sge(1, 1), left.mr.sge(2, 1)};
        int token = right.mr.getRemoteToken();
        assertThat(left.qp.send(1, three, 0)).isEqualTo(NdStatus.DATA_OVERRUN);
        assertThat(left.qp.read(1, three, right.address(0), token, 0)).isEqualTo(NdStatus.DATA_OVERRUN);
        assertThat(left.qp.write(1, three, right.address(0), token, 0)).isEqualTo(NdStatus.DATA_OVERRUN);
        assertThat(left.qp.receive(1, three)).isEqualTo(NdStatus.DATA_OVERRUN);
        NdSge[] two = {three[0], three[1]};
        assertThat(left.qp.write(1, two, right.address(0), token, 0)).isEqualTo(NdStatus.SUCCESS);
        left.succeeds(NdRequestType.WRITE, 1);
        assertThat(drain()).isEmpty();
    }

    @Test
    void tooManyBytesAreABufferOverflow() {
        NdSide.connect(left, right);
        NdSge[] huge = {left.mr.sge(0, 0x80000000), left.mr.sge(0, 1)};
        assertThat(left.qp.send(1, huge, 0)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.qp.read(1, huge, 0, 0, 0)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.qp.write(1, huge, 0, 0, 0)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.qp.receive(1, huge)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.qp.send(1, left.sge(0, 65), NdOpFlags.INLINE)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(drain()).isEmpty();
        assertThat(left.qp.verbs().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void fullQueuesHaveNoMoreEntriesUntilResultsAreTaken() {
        NdSide.connect(left, right);
        for (int i = 0; i < 3; i++) {
            assertThat(left.qp.receive(i, NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(left.qp.receive(3, NdSge.NONE)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        for (Method method : initiatorMethods()) {
            int token = window.getRemoteToken();
            assertThat(method.call().apply(0)).as(method.name()).isEqualTo(NdStatus.NO_MORE_ENTRIES);
            // MW-14: what fails at once leaves the token as it was.
            assertThat(window.getRemoteToken()).isEqualTo(token);
        }
        left.succeeds(NdRequestType.WRITE, 0);
        assertThat(left.qp.write(3, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.write(4, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        assertThat(right.qp.send("message", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        for (int i = 1; i <= 3; i++) {
            left.succeeds(NdRequestType.WRITE, i);
        }
        left.succeeds(NdRequestType.RECEIVE, 0);
        assertThat(left.qp.receive(3, NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.receive(4, NdSge.NONE)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
    }

    @Test
    void placeIsTakenUntilTheProgramHasTheResultEvenIfANotifyHasSeenIt() {
        NdSide.connect(left, right);
        for (int i = 0; i < 3; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
        NdOverlapped overlapped = new NdOverlapped();
        assertThat(left.cq.notify(NdNotifyType.ANY, overlapped)).isEqualTo(NdStatus.PENDING);
        assertThat(left.cq.getOverlappedResult(overlapped, true)).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.write(3, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        left.succeeds(NdRequestType.WRITE, 0);
        assertThat(left.qp.write(3, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void inlineDataMayComeInManyPiecesFromMemoryThatIsNotRegistered() {
        NdSide.connect(left, right);
        Memory unregistered = Memory.allocate(64);
        NdSge[] pieces = new NdSge[8];
        for (int i = 0; i < 64; i++) {
            unregistered.buffer().put(i, (byte) (64 - i));
        }
        for (int i = 0; i < 8; i++) {
            pieces[i] = new NdSge(unregistered.address() + 8 * (7 - i), 8, 4711);
        }
        assertThat(left.qp.write("inline", pieces, right.address(0), right.mr.getRemoteToken(), NdOpFlags.INLINE))
                .isEqualTo(NdStatus.SUCCESS);
        unregistered.buffer().putLong(0, 0).putLong(56, 0);
        left.succeeds(NdRequestType.WRITE, "inline");
        for (int i = 0; i < 64; i++) {
            int from = 8 * (7 - i / 8) + i % 8;
            assertThat(right.bytes().get(i)).isEqualTo((byte) (64 - from));
        }
    }

    @Test
    void inlineDataThatIsNowhereIsAnAccessViolation() {
        NdSide.connect(left, right);
        NdSge nowhere = new NdSge(0x1000, 8, 0);
        for (NdSge[] sge : new NdSge[][] {{nowhere}, {nowhere, nowhere, nowhere}}) {
            assertThat(left.qp.send(1, sge, NdOpFlags.INLINE)).isEqualTo(NdStatus.ACCESS_VIOLATION);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void badLocalTokenIsAnAccessViolationThatIsToldFromARemoteOne() {
        NdSide.connect(left, right);
        NdSge[] bad = {new NdSge(left.address(0), 8, left.mr.getLocalToken() ^ 1)};
        assertThat(left.qp.write("bad", bad, right.address(0), right.mr.getRemoteToken(), 0))
                .isEqualTo(NdStatus.SUCCESS);
        NdResult result = left.expect(NdStatus.ACCESS_VIOLATION, NdRequestType.WRITE, "bad");
        assertThat(result.vendorStatus()).isEqualTo(dev.verbatim.verbs.WcStatus.LOC_PROT_ERR);
        assertThat(result.explanation()).isNotEmpty();
    }

    @Test
    void readsAreForbiddenByALimitOfZero() {
        NdSide.connect(left.qp, right.qp, 0, 16);
        int token = right.mr.getRemoteToken();
        assertThat(left.qp.write("write", left.sge(0, 8), right.address(0), token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        left.succeeds(NdRequestType.WRITE, "write");
        assertThat(left.qp.read("read", left.sge(0, 8), right.address(0), token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        left.expect(NdStatus.DATA_ERROR, NdRequestType.READ, "read");
    }

    @Test
    void releasedQueuePairAnswersInvalidHandleAndItsResultsStay() {
        NdSide.connect(left, right);
        assertThat(left.qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.addRef()).isEqualTo(2);
        assertThat(left.qp.release()).isEqualTo(1);
        assertThat(left.qp.isReleased()).isFalse();
        assertThat(left.qp.release()).isZero();
        for (Method method : initiatorMethods()) {
            assertThat(method.call().apply(0)).as(method.name()).isEqualTo(NdStatus.INVALID_HANDLE);
        }
        assertThat(left.qp.flush()).isEqualTo(NdStatus.INVALID_HANDLE);
        assertThat(left.qp.receive(1, NdSge.NONE)).isEqualTo(NdStatus.INVALID_HANDLE);
        NdResult result = left.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "receive");
        assertThat(result.queuePairContext()).isEqualTo("qp");
    }
}
