// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.OneTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What JUnit tells of tests that have a door, and what they leave behind it. */
class VerbatimExtensionTest {

    private static @Nullable Throwable outcome(Class<?> test, String method) {
        return OneTest.run(test, method).outcome();
    }

    private static @Nullable Throwable outcome(String method) {
        return outcome(LeftBehind.class, method);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tidy",
                "tidyWithOtherParameters",
                "leavesObjectsAsItMay",
                "leavesAFailureAsItMay",
                "pollsItsFailure",
                "leavesFlushedRequests",
                "hasTheProfileOfItsAnnotation",
            })
    void passesAndIsClosed(String method) {
        assertThat(outcome(method)).isNull();
        assertThat(LeftBehind.last.devices()).isEmpty();
        assertThatThrownBy(() -> LeftBehind.last.open("after")).hasMessageContaining("closed");
    }

    @Test
    void annotationOfTheClassAroundCountsAndNoneIsTheUsualOne() {
        assertThat(outcome(LeftBehind.Around.Within.class, "hasTheProfileOfTheClassAround"))
                .isNull();
        assertThat(outcome(LeftBehind.WithoutAnnotation.class, "hasTheUsualValues"))
                .isNull();
    }

    @Test
    void whatIsLeftOpenFailsTheTest() {
        assertThat(outcome("leavesObjects"))
                .isExactlyInstanceOf(AssertionError.class)
                .hasMessageStartingWith("left open: device left has protection domains=1 completion queues=0");
        assertThat(LeftBehind.last.devices()).as("closed all the same").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leavesAFailure", "leavesAFailureInItsQueue"})
    void failureThatNobodyPolledFailsTheTestWithItsExplanation(String method) {
        assertThat(outcome(method))
                .isExactlyInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "failed completion was not polled: device left: wr_id=7 REM_ACCESS_ERR RDMA_WRITE qp=17 byte_len=0: ")
                .hasMessageContaining("NAK remote access error; caused by: key 0x00001234")
                .hasMessageNotContaining("left open");
    }

    @Test
    void failureOfTheTestItselfComesFirst() {
        assertThat(outcome("failsAndLeavesObjects"))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(own -> {
                    assertThat(own).hasMessage("its own failure");
                    assertThat(own.getSuppressed())
                            .singleElement()
                            .satisfies(left -> assertThat(left).hasMessageStartingWith("left open: device left"));
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unknownFabric | fabric=tpc is neither in-process nor one of those that were found, [",
                "unknownProfile | profile=BEST is none of STRICT_IBTA",
                "simulated | prepare is called once and not in each run",
            })
    void annotationThatMeansNothingIsRefused(String method, String sentence) {
        assertThat(outcome(method)).hasMessageContaining(sentence);
    }

    @Test
    void nothingOutsideOfTestsHasADoor() {
        assertThat(outcome(LeftBehind.TooEarly.class, "passes"))
                .hasMessageContaining("is called outside of tests, and each test has a Verbatim of its own");
    }
}
