// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The messages of communication management by their attribute numbers. */
public enum CmAttribute {
    /** Asks for a connection. */
    REQ(0x0010, Req::parse),
    /** A message came and its answer takes longer. */
    MRA(0x0011, Mra::parse),
    /** Refuses. */
    REJ(0x0012, Rej::parse),
    /** Accepts a REQ. */
    REP(0x0013, Rep::parse),
    /** Confirms a REP. */
    RTU(0x0014, Rtu::parse),
    /** Ends a connection. */
    DREQ(0x0015, Dreq::parse),
    /** Confirms a DREQ. */
    DREP(0x0016, Drep::parse),
    /** Asks for the queue pair of a datagram service. */
    SIDR_REQ(0x0017, SidrReq::parse),
    /** Tells it. */
    SIDR_REP(0x0018, SidrRep::parse),
    /** Offers another path. */
    LAP(0x0019, Lap::parse),
    /** Answers a LAP. */
    APR(0x001a, Apr::parse);

    private static final List<CmAttribute> ALL = List.of(values());

    private final int number;
    private final Function<byte[], CmMessage> parser;

    CmAttribute(int number, Function<byte[], CmMessage> parser) {
        this.number = number;
        this.parser = parser;
    }

    /** The attribute ID in the header. */
    public int number() {
        return number;
    }

    CmMessage parse(byte[] body) {
        return parser.apply(body);
    }

    /** The message of that number; null if there is none. */
    public static @Nullable CmAttribute of(int number) {
        int index = number - REQ.number;
        return index >= 0 && index < ALL.size() ? ALL.get(index) : null;
    }
}
