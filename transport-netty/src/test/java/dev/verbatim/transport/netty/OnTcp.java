// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.junit.OnFabric;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests over TCP; {@link OnTcpTest} runs them. */
@OnFabric("tcp")
class OnTcp {

    /** The door of the last test. */
    static Verbatim last;

    static void write(RcPair rc) {
        rc.left().memory().buffer().putLong(0, 42);
        rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
        assertThat(rc.left().sent().awaitCompletion(Await.LIMIT).isSuccess()).isTrue();
        assertThat(rc.right().memory().buffer().getLong(0)).isEqualTo(42);
    }

    @Test
    void writeArrives(Verbatim near, Verbatim far) {
        last = far;
        assertThat(near).isNotSameAs(far);
        try (RcPair rc = RcPair.connect(near.open("left"), far.open("right"))) {
            write(rc);
        }
    }

    @Test
    void allReachEachOtherInWhateverOrderTheyOpen(Verbatim first, Verbatim second, Verbatim third) {
        last = third;
        Device right = third.open("right");
        Device left = first.open("left");
        Device middle = second.open("middle");
        for (Device[] pair : new Device[][] {{left, middle}, {middle, right}, {left, right}}) {
            RcPair rc = RcPair.connect(pair[0], pair[1]);
            write(rc);
            release(rc);
        }
    }

    private static void release(RcPair rc) {
        for (RcPeer peer : List.of(rc.left(), rc.right())) {
            peer.region().close();
            peer.qp().close();
            peer.sent().close();
            peer.received().close();
            peer.pd().close();
        }
    }

    @Test
    void deviceThatCameLaterIsReached(Verbatim near, Verbatim far) {
        last = far;
        far.open("gone").close();
        Device left = near.open("left");
        try (RcPair rc = RcPair.connect(left, far.open("right"))) {
            write(rc);
        }
    }

    @Test
    void leavesObjectsAndAFailure(Verbatim near, Verbatim far) {
        last = far;
        RcPair rc = RcPair.connect(near.open("left"), far.open("right"));
        rc.left()
                .qp()
                .postSend(SendWorkRequest.write(
                        7, rc.right().address(0), 0x1234, rc.left().sge(0, 8)));
        Await.value("the end of the queue pair", rc.left().qp()::state, QpState.ERR::equals);
    }
}
