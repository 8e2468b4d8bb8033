// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** GIDs as IP addresses. */
class GidAddressTest {

    @ParameterizedTest
    @CsvSource({
        "10.77.0.12, 0000:0000:0000:0000:0000:ffff:0a4d:000c",
        "255.255.255.255, 0000:0000:0000:0000:0000:ffff:ffff:ffff",
        "fd77::12, fd77:0000:0000:0000:0000:0000:0000:0012",
        "fe80::200:0:0:1, fe80:0000:0000:0000:0200:0000:0000:0001",
        "::1, 0000:0000:0000:0000:0000:0000:0000:0001",
    })
    void addressIsAGidAndBack(String address, String gid) throws UnknownHostException {
        InetAddress host = InetAddress.getByName(address);
        assertThat(Gid.of(host)).isEqualTo(Gid.parse(gid));
        assertThat(Gid.of(host).toInetAddress()).isEqualTo(host);
    }

    @Test
    void gidOfAnIpv4AddressIsThatAddressAndAnyOtherIsAnIpv6Address() {
        assertThat(new Gid(0, 0xffff_0a4d_000cL).toInetAddress()).isInstanceOf(Inet4Address.class);
        assertThat(new Gid(0, 0xfffe_0a4d_000cL).toInetAddress()).isInstanceOf(Inet6Address.class);
        assertThat(Gid.ofGuid(7).toInetAddress()).isInstanceOf(Inet6Address.class);
    }
}
