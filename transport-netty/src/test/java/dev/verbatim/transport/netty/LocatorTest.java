// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where devices with locating GIDs listen. */
class LocatorTest {

    @Test
    void noProcessListensAtAnAddressToWhichJavaWithoutIpv6DoesNotBind() {
        assertThat(IntStream.rangeClosed(0, 0xffff).map(Locator::firstLid))
                .allMatch(LocatorTest::isBindable)
                .contains(1, 0x100, 0xbffe);
        assertThat(IntStream.iterate(Locator.firstLid(0), Locator::nextLid).limit(0x1_0000))
                .allMatch(LocatorTest::isBindable);
    }

    private static boolean isBindable(int lid) {
        return Locator.loopback(lid).getAddress()[3] != (byte) 255;
    }
}
