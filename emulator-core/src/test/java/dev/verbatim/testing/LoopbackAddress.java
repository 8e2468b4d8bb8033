// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * IPv4 loopback addresses that no other JVM of this machine uses: RoCEv2 has one UDP port, and several builds may run
 * at a time. On Linux each address of 127.0.0.0/8 is local.
 */
public final class LoopbackAddress {

    private static final long PID = ProcessHandle.current().pid();

    private LoopbackAddress() {}

    /** Returns address {@code number}, 1 to 254, of this JVM. */
    public static InetAddress of(int number) {
        byte[] address = {127, (byte) (64 + PID / 256 % 64), (byte) PID, (byte) number};
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }
}
