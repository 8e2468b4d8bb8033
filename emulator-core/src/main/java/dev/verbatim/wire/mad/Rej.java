// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Refuses a {@link Req} or a {@link Rep}, or gives up a connection that was asked for.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param message which one is refused: {@link #MESSAGE_REQ}, {@link #MESSAGE_REP} or {@link #MESSAGE_OTHER}
 * @param reason why; connection management names those that are known, a peer may send others
 * @param additional additional rejection information (ARI), at most 72 bytes; what it says depends on the reason
 * @param privateData 148 bytes, padded with zeros if shorter
 */
public record Rej(int localId, int remoteId, int message, int reason, Octets additional, Octets privateData)
        implements CmMessage {

    /** The message meant is a {@link Req}. */
    public static final int MESSAGE_REQ = 0;

    /** The message meant is a {@link Rep}. */
    public static final int MESSAGE_REP = 1;

    /** None, or another message is meant. */
    public static final int MESSAGE_OTHER = 2;

    /** Reason: no resources are left. */
    public static final int REASON_NO_RESOURCES = 3;

    /** Reason: the sender does not wait any longer. */
    public static final int REASON_TIMEOUT = 4;

    /** Reason: no program listens at the service ID. */
    public static final int REASON_INVALID_SERVICE_ID = 8;

    /** Reason: the queue pair is, or was until now, part of another connection. */
    public static final int REASON_STALE_CONN = 10;

    /** Reason: the primary remote GID is not the receiver's. */
    public static final int REASON_INVALID_GID = 12;

    /** Reason: the alternate remote GID is not valid. */
    public static final int REASON_INVALID_ALT_GID = 18;

    /** Reason: the path MTU is not valid. */
    public static final int REASON_INVALID_MTU = 26;

    /** Reason: the application refused, or the addresses do not fit. */
    public static final int REASON_CONSUMER_DEFINED = 28;

    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Field MESSAGE = Field.within(8, 7, 6, "message");
    private static final Field REASON = Field.at(10, 16, "reason");
    private static final Block ADDITIONAL = new Block("additional", 12, 72);
    private static final Block PRIVATE_DATA = Block.privateData(84);
    private static final Field ADDITIONAL_LENGTH = Field.within(9, 7, 1, "additionalLength");

    /** Checks that each value fits its field, and pads the private data. */
    public Rej {
        MESSAGE.check(message);
        REASON.check(reason);
        ADDITIONAL.check(additional);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Rej parse(byte[] body) {
        return new Rej(
                LOCAL_ID.get(body),
                REMOTE_ID.get(body),
                MESSAGE.get(body),
                REASON.get(body),
                ADDITIONAL.first(body, ADDITIONAL_LENGTH.get(body)),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REJ;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        MESSAGE.put(body, message);
        REASON.put(body, reason);
        ADDITIONAL_LENGTH.put(body, additional.lengthBytes());
        ADDITIONAL.put(body, additional);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
