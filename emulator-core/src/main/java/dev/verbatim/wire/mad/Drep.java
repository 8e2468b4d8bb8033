// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Confirms a {@link Dreq}.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param privateData 224 bytes, padded with zeros if shorter
 */
public record Drep(int localId, int remoteId, Octets privateData) implements CmMessage {
    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Block PRIVATE_DATA = Block.privateData(8);

    /** Checks that each value fits its field, and pads the private data. */
    public Drep {
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Drep parse(byte[] body) {
        return new Drep(LOCAL_ID.get(body), REMOTE_ID.get(body), PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREP;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
