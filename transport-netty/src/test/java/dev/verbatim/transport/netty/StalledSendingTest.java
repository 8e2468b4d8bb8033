// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A peer does not read, so the socket is full in the middle of a payload that is written from where it lies. Whatever takes
 * the memory away returns at once, and what goes out later is what was there then, not what the program has put there since.
 */
@Timeout(600)
class StalledSendingTest {

    /** More than sockets and the relay take. */
    private static final int MESSAGE_BYTES = 2 << 20;

    private static final int NARROW_BYTES = 64 * 1024;
    private static final int PASSING_BYTES = 20_000;

    /** What takes the memory away. */
    private enum End {
        DEREGISTER,
        ERR,
        RESET,
        DESTROY
    }

    private StalledPair pair;

    static List<Arguments> cases() {
        return List.of(SocketTransport.NIO, SocketTransport.EPOLL).stream()
                .flatMap(transport -> List.of(
                        // Whether it is a READ's response, what ends it, and what the requester sees, if it sees
                        // anything.
                        Arguments.of(transport, false, End.DEREGISTER, WcStatus.LOC_PROT_ERR),
                        Arguments.of(transport, false, End.ERR, WcStatus.WR_FLUSH_ERR),
                        Arguments.of(transport, false, End.RESET, null),
                        Arguments.of(transport, false, End.DESTROY, null),
                        Arguments.of(transport, true, End.DEREGISTER, WcStatus.REM_ACCESS_ERR),
                        Arguments.of(transport, true, End.ERR, null),
                        Arguments.of(transport, true, End.RESET, null),
                        Arguments.of(transport, true, End.DESTROY, null))
                        .stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Rule("MR-54")
    void whatGoesOutIsWhatWasThere(SocketTransport transport, boolean isResponse, End end, @Nullable WcStatus status)
            throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        try (StalledPair stalled = new StalledPair(transport, NARROW_BYTES)) {
            pair = stalled;
            MemoryRegion source = StalledPair.region(pair.near, MESSAGE_BYTES, StalledPair.BEFORE);
            MemoryRegion target = StalledPair.region(pair.far, MESSAGE_BYTES, 0);
            pair.relay.letPass(PASSING_BYTES);
            if (isResponse) {
                pair.far.qp.postSend(SendWorkRequest.read(1, source.address(), source.rkey(), target.sge()));
            } else {
                pair.near.qp.postSend(SendWorkRequest.write(1, target.address(), target.rkey(), source.sge()));
            }
            StalledPair.awaitLanded(target, PASSING_BYTES / 2);
            pair.awaitFullSocket();
            end(end, source);
            StalledPair.fill(source, StalledPair.AFTER);
            pair.goOn();
            if (status != null) {
                assertThat(isResponse ? pair.far.sent() : pair.near.sent())
                        .hasId(1)
                        .hasStatus(status);
            }
            pair.assertOthersGoOn();
            assertThat(pair.far.sendCq.poll(1)).isEmpty();
            assertThat(StalledPair.has(target, StalledPair.AFTER))
                    .as("bytes of the time after")
                    .isFalse();
        }
    }

    private void end(End end, MemoryRegion source) {
        switch (end) {
            case DEREGISTER -> source.close();
            case ERR -> pair.near.qp.modify(new QpAttributes().state(QpState.ERR));
            case RESET -> pair.near.qp.modify(new QpAttributes().state(QpState.RESET));
            case DESTROY -> pair.near.qp.close();
        }
    }
}
