// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Ends a connection.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param remoteQpn number of the receiver's queue pair
 * @param privateData 220 bytes, padded with zeros if shorter
 */
public record Dreq(int localId, int remoteId, int remoteQpn, Octets privateData) implements CmMessage {
    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Field REMOTE_QPN = Field.at(8, 24, "remoteQpn");
    private static final Block PRIVATE_DATA = Block.privateData(12);

    /** Checks that each value fits its field, and pads the private data. */
    public Dreq {
        REMOTE_QPN.check(remoteQpn);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Dreq parse(byte[] body) {
        return new Dreq(LOCAL_ID.get(body), REMOTE_ID.get(body), REMOTE_QPN.get(body), PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREQ;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        REMOTE_QPN.put(body, remoteQpn);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
