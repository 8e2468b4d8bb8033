// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;
import java.util.Arrays;
import java.util.HexFormat;

/** Datagrams that Linux sent: the first five while rping ran between 10.77.0.12 and 10.77.0.11, the others in live runs. */
final class CmVectors {

    static final Octets REQ = mad(
            "01070203 00000000 00000002 08223d01 0010 0000 00000000",
            "013d2208 00000000 0000000001061c06 505400fffe770002 00000000 00000000",
            "00001701 00000001 000000a0 617daea7 ffff 37 f0",
            "ffff ffff 00000000000000000000ffff0a4d000c 00000000000000000000ffff0a4d000b",
            "c0051000 00 40 00 98",
            "00".repeat(44),
            "00 40 e655 000000000000000000000000 0a4d000c 000000000000000000000000 0a4d000b");

    static final Octets REP = mad(
            "01070203 00000000 00000002 08223d01 0013 0000 00000000",
            "2318ac6a 013d2208 00000000 00011700 00000000 67f47200 01 01 78 e0 505400fffe770001");

    static final Octets RTU = mad("01070203 00000000 00000002 08223d01 0014 0000 00000000", "013d2208 2318ac6a");

    static final Octets DREQ =
            mad("01070203 00000000 00000002 08223d01 0015 0000 00000000", "013d2208 2318ac6a 00011700");

    static final Octets DREP = mad("01070203 00000000 00000002 08223d01 0016 0000 00000000", "2318ac6a 013d2208");

    static final Octets REQ_OVER_IPV6 = mad(
            "01070203 00000000 00000002 26a66c0d 0010 0000 00000000",
            "0d6ca626 00000000 0000000001061c06 505400fffe770002 0000000000000000",
            "00001301 00000001 000000a0 a81783a7 ffff37f0",
            "ffffffff fd770000000000000000000000000012 fd770000000000000000000000000011",
            "3db91000 00400098",
            "00".repeat(44),
            "0060a315 fd770000000000000000000000000012 fd770000000000000000000000000011");

    /** As a host with a ConnectX sent it (test/test_rocev2.py of enjoy-digital/liteeth, BSD-2-Clause). */
    static final Octets REQ_OF_CONNECTX = mad(
            "01070203 00000000 00000003 57feb735 0010 0000 00000000",
            "35b7fe57 000015b3 0000000001066b13 b8599f0300077e2a 00000000 00000000",
            "00014410 00000010 000000b0 cf7bf6b7 ffff37f0",
            "ffffffff 00000000000000000000ffffc0aa0102 00000000000000000000ffffc0aa0132",
            "5ba59000 00400090",
            "00".repeat(44),
            "0040affa 000000000000000000000000c0aa0102 000000000000000000000000c0aa0132");

    static final Octets REJ_NOBODY_LISTENS =
            mad("01070203 00000000 1122334455667788 0012 0000 00000000", "00000000 01020300 00 00 0008");

    static final Octets REJ_BY_PROGRAM = mad(
            "01070203 00000000 1122334455667788 0012 0000 00000000",
            "e24a0d66 01020301 00 00 001c",
            "00".repeat(72),
            "41424344");

    static final Octets MRA = mad("01070203 00000000 1122334455667788 0011 0000 00000000", "e04a0d66 01020302 00 c0");

    static final Octets SIDR_REQ = mad(
            "01070203 00000000 00000002 26a66c0c 0017 0000 00000000",
            "0c6ca626 ffff 0000 0000000001111c06 00 40 8bb7",
            "000000000000000000000000 0a4d000c 000000000000000000000000 0a4d000b");

    static final Octets SIDR_REP = mad(
            "01070203 00000000 00000002 26a66c0c 0018 0000 00000000",
            "0c6ca626 00 00 0000 000025 00 0000000001111c06 01234567");

    private CmVectors() {}

    /** The bytes, and zeros behind them. */
    private static Octets mad(String... hex) {
        byte[] bytes = HexFormat.of().parseHex(String.join("", hex).replace(" ", ""));
        return Octets.of(Arrays.copyOf(bytes, Mad.BYTES));
    }
}
