// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * A message came, and its answer takes longer than its sender was told.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param message which one came: {@link #MESSAGE_REQ}, {@link #MESSAGE_REP} or {@link #MESSAGE_LAP}
 * @param serviceTimeout how long the answer may take, a code of {@link CmTimeout}
 * @param privateData 222 bytes, padded with zeros if shorter
 */
public record Mra(int localId, int remoteId, int message, int serviceTimeout, Octets privateData) implements CmMessage {

    /** The message meant is a {@link Req}. */
    public static final int MESSAGE_REQ = 0;

    /** The message meant is a {@link Rep}. */
    public static final int MESSAGE_REP = 1;

    /** The message meant is a {@link Lap}. */
    public static final int MESSAGE_LAP = 2;

    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Field MESSAGE = Field.within(8, 7, 6, "message");
    private static final Field SERVICE_TIMEOUT = Field.within(9, 7, 3, "serviceTimeout");
    private static final Block PRIVATE_DATA = Block.privateData(10);

    /** Checks that each value fits its field, and pads the private data. */
    public Mra {
        MESSAGE.check(message);
        SERVICE_TIMEOUT.check(serviceTimeout);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Mra parse(byte[] body) {
        return new Mra(
                LOCAL_ID.get(body),
                REMOTE_ID.get(body),
                MESSAGE.get(body),
                SERVICE_TIMEOUT.get(body),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.MRA;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        MESSAGE.put(body, message);
        SERVICE_TIMEOUT.put(body, serviceTimeout);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
