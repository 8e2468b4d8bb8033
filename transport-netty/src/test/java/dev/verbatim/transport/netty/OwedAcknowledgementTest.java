// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program has polled the last message and ends its queue pair at once, as pingpongs do: the acknowledgement, which may wait for an answer
 * to go with, is sent all the same.
 */
@Timeout(120)
class OwedAcknowledgementTest {

    private static final int PAIRS = 60;
    private static final int MESSAGES = 20;

    enum End {
        DESTROY,
        RESET,
        ERR,
        CLOSE
    }

    @ParameterizedTest
    @EnumSource
    @Rule("ACK-04")
    @SuppressWarnings("try") // closed twice
    void isSentBeforeTheQueuePairEnds(End end) {
        for (int i = 0; i < PAIRS; i++) {
            try (NettyFabric server = NettyFabric.open(NettyOptions.defaults());
                    NettyFabric client = NettyFabric.open(NettyOptions.defaults());
                    Verbatim far = Verbatim.over(server);
                    Verbatim near = Verbatim.over(client)) {
                Device right = far.open("right");
                Device left = near.open("left");
                client.dial(server.listen(Node.loopback(0)));
                RcPair rc = RcPair.connect(left, right);
                for (int message = 0; message < MESSAGES; message++) {
                    rc.right().qp().postRecv(rc.right().receive(message, 0, 64));
                    rc.left().qp().postSend(rc.left().send(message, 0, 64));
                    poll(rc.right().received());
                    if (message < MESSAGES - 1) {
                        poll(rc.left().sent());
                    }
                }

                switch (end) {
                    case DESTROY -> rc.right().qp().close();
                    case RESET -> modify(rc.right(), QpState.RESET);
                    case ERR -> modify(rc.right(), QpState.ERR);
                    case CLOSE -> far.close();
                }

                assertThat(rc.left().sent().awaitCompletion(Await.LIMIT).status())
                        .isEqualTo(WcStatus.SUCCESS);
            }
        }
    }

    private static void modify(RcPeer peer, QpState state) {
        peer.qp().modify(new QpAttributes().state(state), QpAttributeMask.STATE);
    }

    private static void poll(CompletionQueue cq) {
        List<WorkCompletion> polled = cq.poll(1);
        while (polled.isEmpty()) {
            Thread.onSpinWait();
            polled = cq.poll(1);
        }
        assertThat(polled.get(0).status()).isEqualTo(WcStatus.SUCCESS);
    }
}
