// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A peer stalls in the middle of a payload that is being put where it belongs. Whatever takes the memory away then returns at
 * once, and from then on the memory is the program's: the rest of the payload arrives and changes nothing.
 */
@Timeout(600)
class StalledLandingTest {

    /** One run of packets. */
    private static final int MESSAGE_BYTES = 200 * 1024;

    private static final int PASSING_BYTES = 100 * 1024;
    private static final int LANDED = 90 * 1024;

    /** What the near side sends. */
    private enum Transfer {
        WRITE,
        WRITE_BY_WINDOW,
        SEND,
        READ_RESPONSE
    }

    /** What takes the memory away. */
    private enum End {
        DEREGISTER,
        LOCAL_INV,
        DEALLOCATE_WINDOW,
        ERR,
        RESET,
        DESTROY
    }

    private StalledPair pair;
    private MemoryRegion target;
    private MemoryRegion source;
    private @Nullable MemoryWindow window;
    private int windowKey;

    static List<Arguments> cases() {
        return List.of(SocketTransport.NIO, SocketTransport.EPOLL).stream()
                .flatMap(transport -> List.of(
                        // The transfer, what ends it, and what the near and the far side see, if they see anything.
                        Arguments.of(transport, Transfer.WRITE, End.DEREGISTER, WcStatus.REM_ACCESS_ERR, null),
                        Arguments.of(transport, Transfer.WRITE, End.ERR, null, null),
                        Arguments.of(transport, Transfer.WRITE, End.RESET, null, null),
                        Arguments.of(transport, Transfer.WRITE, End.DESTROY, null, null),
                        Arguments.of(transport, Transfer.WRITE_BY_WINDOW, End.LOCAL_INV, WcStatus.REM_ACCESS_ERR, null),
                        Arguments.of(
                                transport,
                                Transfer.WRITE_BY_WINDOW,
                                End.DEALLOCATE_WINDOW,
                                WcStatus.REM_ACCESS_ERR,
                                null),
                        Arguments.of(
                                transport, Transfer.SEND, End.DEREGISTER, WcStatus.REM_OP_ERR, WcStatus.LOC_PROT_ERR),
                        Arguments.of(transport, Transfer.SEND, End.ERR, null, WcStatus.WR_FLUSH_ERR),
                        Arguments.of(transport, Transfer.SEND, End.RESET, null, null),
                        Arguments.of(transport, Transfer.SEND, End.DESTROY, null, null),
                        Arguments.of(transport, Transfer.READ_RESPONSE, End.DEREGISTER, null, WcStatus.LOC_PROT_ERR),
                        Arguments.of(transport, Transfer.READ_RESPONSE, End.ERR, null, WcStatus.WR_FLUSH_ERR),
                        Arguments.of(transport, Transfer.READ_RESPONSE, End.RESET, null, null),
                        Arguments.of(transport, Transfer.READ_RESPONSE, End.DESTROY, null, null))
                        .stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Rule({"MR-54", "MW-92"})
    void memoryIsTheProgramsOwnAgainAtOnce(
            SocketTransport transport,
            Transfer transfer,
            End end,
            @Nullable WcStatus nearStatus,
            @Nullable WcStatus farStatus)
            throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        try (StalledPair stalled = new StalledPair(transport, 0)) {
            pair = stalled;
            target = StalledPair.region(pair.far, MESSAGE_BYTES, 0);
            source = StalledPair.region(pair.near, MESSAGE_BYTES, StalledPair.BEFORE);
            if (transfer == Transfer.WRITE_BY_WINDOW) {
                bindWindow();
            }
            pair.relay.letPass(PASSING_BYTES);
            begin(transfer);
            StalledPair.awaitLanded(target, LANDED);
            end(end);
            StalledPair.fill(target, StalledPair.AFTER);
            pair.goOn();
            if (nearStatus != null) {
                assertThat(pair.near.sent()).hasId(1).hasStatus(nearStatus);
            }
            pair.assertOthersGoOn();
            assertFarSees(transfer, farStatus);
            assertThat(StalledPair.has(target, StalledPair.BEFORE))
                    .as("bytes that came too late")
                    .isFalse();
        }
    }

    private void assertFarSees(Transfer transfer, @Nullable WcStatus status) {
        if (status == null) {
            assertThat(pair.far.sendCq.poll(1)).isEmpty();
            assertThat(pair.far.recvCq.poll(1)).isEmpty();
            return;
        }
        WorkCompletion seen = transfer == Transfer.SEND ? pair.far.received() : pair.far.sent();
        assertThat(seen).hasId(1).hasStatus(status);
    }

    private void begin(Transfer transfer) {
        Side near = pair.near;
        Side far = pair.far;
        switch (transfer) {
            case WRITE -> near.qp.postSend(SendWorkRequest.write(1, target.address(), target.rkey(), source.sge()));
            case WRITE_BY_WINDOW ->
                near.qp.postSend(SendWorkRequest.write(1, target.address(), windowKey, source.sge()));
            case SEND -> {
                far.qp.postRecv(ReceiveWorkRequest.of(1, target.sge()));
                near.qp.postSend(SendWorkRequest.send(1, source.sge()));
            }
            case READ_RESPONSE ->
                far.qp.postSend(SendWorkRequest.read(1, source.address(), source.rkey(), target.sge()));
        }
    }

    private void end(End end) {
        switch (end) {
            case DEREGISTER -> target.close();
            case LOCAL_INV -> {
                pair.far.qp.postSend(SendWorkRequest.localInvalidate(3, windowKey));
                assertThat(pair.far.sent()).isSuccess().hasId(3);
            }
            case DEALLOCATE_WINDOW -> {
                if (window != null) {
                    window.close();
                }
            }
            case ERR -> pair.far.qp.modify(new QpAttributes().state(QpState.ERR));
            case RESET -> pair.far.qp.modify(new QpAttributes().state(QpState.RESET));
            case DESTROY -> pair.far.qp.close();
        }
    }

    private void bindWindow() {
        window = pair.far.pd.allocateWindow(MemoryWindowType.TYPE_2);
        BindInfo all = new BindInfo(target, target.address(), MESSAGE_BYTES, AccessFlags.REMOTE_WRITE);
        SendWorkRequest bind = SendWorkRequest.bindWindow(2, window, 0x41, all);
        pair.far.qp.postSend(bind);
        assertThat(pair.far.sent()).isSuccess().hasId(2);
        windowKey = bind.boundKey();
    }
}
