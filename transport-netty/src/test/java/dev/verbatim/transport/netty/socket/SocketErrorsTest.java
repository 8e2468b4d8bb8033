// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.NotYetConnectedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SocketErrorsTest {

    private static final IOException RESET = new IOException("Connection reset by peer");

    static Throwable[] breaks() {
        return new Throwable[] {
            RESET, new UncheckedIOException(RESET), new ChannelException(RESET), new NotYetConnectedException()
        };
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void whatTheSocketReportsIsABreak(Throwable cause) {
        assertThat(SocketErrors.isBreak(cause)).isTrue();
    }

    @Test
    void whatOurCodeThrowsIsNone() {
        assertThat(SocketErrors.isBreak(new IllegalStateException("of ours"))).isFalse();
        assertThat(SocketErrors.isBreak(new IllegalStateException(RESET))).isFalse();
        assertThat(SocketErrors.isBreak(new AssertionError(new IllegalStateException())))
                .isFalse();
    }
}
