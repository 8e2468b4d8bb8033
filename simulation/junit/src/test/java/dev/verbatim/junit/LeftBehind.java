// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that leave something behind, or not; {@link VerbatimExtensionTest} runs them. */
@OnFabric
class LeftBehind {

    private static final int NO_KEY = 0x1234;

    /** The door of the last test. */
    static Verbatim last;

    private Verbatim prepared;

    @BeforeEach
    void prepare(Verbatim rdma) {
        prepared = rdma;
        last = rdma;
    }

    @AfterEach
    void isStillOpen(Verbatim rdma) {
        assertThat(rdma).isSameAs(prepared);
        assertThat(rdma.open("late").allocatePd()).satisfies(pd -> pd.close());
    }

    private static RcPair pair(Verbatim rdma) {
        return RcPair.connect(rdma.open("left"), rdma.open("right"));
    }

    /** A WRITE with a key that is none, and the queue pair has failed. */
    private static void failed(RcPair rc) {
        rc.left()
                .qp()
                .postSend(SendWorkRequest.write(
                        7, rc.right().address(0), NO_KEY, rc.left().sge(0, 8)));
        Await.value("the end of the queue pair", rc.left().qp()::state, QpState.ERR::equals);
    }

    @Test
    void tidy(Verbatim near, Verbatim far) {
        assertThat(near).isSameAs(prepared).isSameAs(far);
        try (RcPair rc = RcPair.connect(near.open("left"), far.open("right"))) {
            rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
            assertThat(rc.left().sent().awaitCompletion(Await.LIMIT).isSuccess())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void tidyWithOtherParameters(int number, Verbatim rdma) {
        assertThat(rdma.open("left").name()).hasSize(number + 3);
    }

    @Test
    void leavesObjects(Verbatim rdma) {
        rdma.open("left").allocatePd();
    }

    @Test
    @OnFabric(leakCheck = false)
    void leavesObjectsAsItMay(Verbatim rdma) {
        rdma.open("left").allocatePd();
    }

    @Test
    void leavesAFailure(Verbatim rdma) {
        try (RcPair rc = pair(rdma)) {
            failed(rc);
        }
    }

    @Test
    @OnFabric(leakCheck = false)
    void leavesAFailureInItsQueue(Verbatim rdma) {
        failed(pair(rdma));
    }

    @Test
    @OnFabric(failureCheck = false)
    void leavesAFailureAsItMay(Verbatim rdma) {
        leavesAFailure(rdma);
    }

    @Test
    void pollsItsFailure(Verbatim rdma) {
        try (RcPair rc = pair(rdma)) {
            failed(rc);
            assertThat(rc.left().sent().poll(1).get(0).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void leavesFlushedRequests(Verbatim rdma) {
        try (RcPair rc = pair(rdma)) {
            rc.left().qp().postRecv(rc.left().receive(1, 0, 8));
            rc.left().qp().modify(new QpAttributes().state(QpState.ERR));
        }
    }

    @Test
    void failsAndLeavesObjects(Verbatim rdma) {
        leavesObjects(rdma);
        throw new IllegalStateException("its own failure");
    }

    @Test
    @OnFabric(profile = "RXE_LIKE")
    void hasTheProfileOfItsAnnotation(Verbatim rdma) {
        assertProfile(rdma, "RXE_LIKE");
    }

    private static void assertProfile(Verbatim rdma, String name) {
        Device device = rdma.open("left");
        assertThat(((EmulatedDevice) device).context().profile().name()).isEqualTo(name);
    }

    @SimulatedTest(seeds = 0)
    void simulated(Verbatim rdma) {
        assertThat(rdma.open("left").name()).isEqualTo("left");
    }

    @Test
    @OnFabric("tpc")
    void unknownFabric(Verbatim rdma) {
        rdma.open("left");
    }

    @Test
    @OnFabric(profile = "BEST")
    void unknownProfile(Verbatim rdma) {
        rdma.open("left");
    }

    /** Within a class whose annotation says otherwise. */
    @OnFabric(profile = "MLX5_LIKE")
    static class Around {

        @Nested
        class Within {

            @Test
            void hasTheProfileOfTheClassAround(Verbatim rdma) {
                assertProfile(rdma, "MLX5_LIKE");
            }
        }
    }

    @ExtendWith(VerbatimExtension.class)
    static class WithoutAnnotation {

        @Test
        void hasTheUsualValues(Verbatim rdma) {
            assertProfile(rdma, "STRICT_IBTA");
        }
    }

    @OnFabric
    static class TooEarly {

        @BeforeAll
        static void prepare(Verbatim rdma) {
            rdma.open("left");
        }

        @Test
        void passes() {
            assertThat(true).isTrue();
        }
    }
}
