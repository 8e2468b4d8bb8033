// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("smoke")
class HostAndPortTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7471", "0.0.0.0:1", "10.1.2.3:65535"})
    void addressIsReadAsItIsWritten(String text) {
        assertThat(HostAndPort.of(HostAndPort.parse(text))).isEqualTo(text);
    }

    @Test
    void addressOfVersionSixStandsInBrackets() {
        InetSocketAddress address = HostAndPort.parse("[::1]:7471");
        assertThat(address.getAddress().isLoopbackAddress()).isTrue();
        assertThat(HostAndPort.of(address)).isEqualTo("[0:0:0:0:0:0:0:1]:7471");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "host",
                "host:",
                ":7471",
                "host:0",
                "host:-1",
                "host:65536",
                "host:7471x",
                "[]:7471",
                "7471"
            })
    void whatIsNoAddressIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> HostAndPort.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not HOST:PORT")
                .hasMessageContaining("127.0.0.1:7471");
    }
}
