// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.OneTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of JUnit that have doors of their own over TCP. */
@Timeout(600)
class OnTcpTest {

    private static void assertClosed() {
        assertThat(OnTcp.last.devices()).isEmpty();
        assertThatThrownBy(() -> OnTcp.last.open("after")).hasMessageContaining("the fabric is closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"writeArrives", "allReachEachOtherInWhateverOrderTheyOpen", "deviceThatCameLaterIsReached"})
    void passesAndIsClosed(String method) {
        assertThat(OneTest.run(OnTcp.class, method).outcome()).isNull();
        assertClosed();
    }

    @Test
    void whatIsLeftBehindOnEitherSideFailsTheTest() {
        assertThat(OneTest.run(OnTcp.class, "leavesObjectsAndAFailure").outcome())
                .isExactlyInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "failed completion was not polled: device left: wr_id=7 REM_ACCESS_ERR",
                        "left open: device left has protection domains=1",
                        "left open: device right has protection domains=1");
        assertClosed();
    }
}
