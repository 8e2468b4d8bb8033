// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Accepts a {@link Req}.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param localQueueKey 0 for a reliable connection
 * @param localQpn number of the sender's queue pair
 * @param localEecn end-to-end context; of an XRC target the number of its queue pair
 * @param startingPsn that the sender expects first
 * @param vendorId of the options agreed upon, 24 bits; 0 for none
 * @param responderResources READs and atomics that the sender serves at a time
 * @param initiatorDepth READs and atomics that the sender will have outstanding
 * @param targetAckDelay how long the sender's device may take to acknowledge, a code of {@link CmTimeout}
 * @param failoverAccepted what became of the alternate path: 0 accepted or none asked for, 1 not supported, 2 rejected
 * @param flowControl whether the sender does end-to-end flow control
 * @param rnrRetryCount that the receiver is to use
 * @param srq whether the sender's queue pair uses a shared receive queue
 * @param localCaGuid the sender's node GUID
 * @param privateData 196 bytes, padded with zeros if shorter
 */
public record Rep(
        int localId,
        int remoteId,
        int localQueueKey,
        int localQpn,
        int localEecn,
        int startingPsn,
        int vendorId,
        int responderResources,
        int initiatorDepth,
        int targetAckDelay,
        int failoverAccepted,
        boolean flowControl,
        int rnrRetryCount,
        boolean srq,
        long localCaGuid,
        Octets privateData)
        implements CmMessage {
    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Field LOCAL_QUEUE_KEY = Field.at(8, 32, "localQueueKey");
    private static final Field LOCAL_QPN = Field.at(12, 24, "localQpn");
    private static final Field LOCAL_EECN = Field.at(16, 24, "localEecn");
    private static final Field STARTING_PSN = Field.at(20, 24, "startingPsn");
    /** Spread over three bytes; this is only to check it. */
    private static final Field VENDOR_ID = new Field("vendorId", 0, 24);

    private static final Field VENDOR_ID_HIGH = Field.at(15, 8, "vendorId");
    private static final Field VENDOR_ID_MIDDLE = Field.at(19, 8, "vendorId");
    private static final Field VENDOR_ID_LOW = Field.at(23, 8, "vendorId");
    private static final Field RESPONDER_RESOURCES = Field.at(24, 8, "responderResources");
    private static final Field INITIATOR_DEPTH = Field.at(25, 8, "initiatorDepth");
    private static final Field TARGET_ACK_DELAY = Field.within(26, 7, 3, "targetAckDelay");
    private static final Field FAILOVER_ACCEPTED = Field.within(26, 2, 1, "failoverAccepted");
    private static final Field FLOW_CONTROL = Field.within(26, 0, 0, "flowControl");
    private static final Field RNR_RETRY_COUNT = Field.within(27, 7, 5, "rnrRetryCount");
    private static final Field SRQ = Field.within(27, 4, 4, "srq");
    private static final LongField LOCAL_CA_GUID = new LongField(28);
    private static final Block PRIVATE_DATA = Block.privateData(36);

    /** Checks that each value fits its field, and pads the private data. */
    public Rep {
        LOCAL_QPN.check(localQpn);
        LOCAL_EECN.check(localEecn);
        STARTING_PSN.check(startingPsn);
        VENDOR_ID.check(vendorId);
        RESPONDER_RESOURCES.check(responderResources);
        INITIATOR_DEPTH.check(initiatorDepth);
        TARGET_ACK_DELAY.check(targetAckDelay);
        FAILOVER_ACCEPTED.check(failoverAccepted);
        RNR_RETRY_COUNT.check(rnrRetryCount);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Rep parse(byte[] body) {
        return new Rep(
                LOCAL_ID.get(body),
                REMOTE_ID.get(body),
                LOCAL_QUEUE_KEY.get(body),
                LOCAL_QPN.get(body),
                LOCAL_EECN.get(body),
                STARTING_PSN.get(body),
                (VENDOR_ID_HIGH.get(body) << (2 * Byte.SIZE))
                        | (VENDOR_ID_MIDDLE.get(body) << Byte.SIZE)
                        | VENDOR_ID_LOW.get(body),
                RESPONDER_RESOURCES.get(body),
                INITIATOR_DEPTH.get(body),
                TARGET_ACK_DELAY.get(body),
                FAILOVER_ACCEPTED.get(body),
                FLOW_CONTROL.isSet(body),
                RNR_RETRY_COUNT.get(body),
                SRQ.isSet(body),
                LOCAL_CA_GUID.get(body),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REP;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        LOCAL_QUEUE_KEY.put(body, localQueueKey);
        LOCAL_QPN.put(body, localQpn);
        LOCAL_EECN.put(body, localEecn);
        STARTING_PSN.put(body, startingPsn);
        VENDOR_ID_HIGH.put(body, vendorId >> (2 * Byte.SIZE));
        VENDOR_ID_MIDDLE.put(body, vendorId >> Byte.SIZE);
        VENDOR_ID_LOW.put(body, vendorId);
        RESPONDER_RESOURCES.put(body, responderResources);
        INITIATOR_DEPTH.put(body, initiatorDepth);
        TARGET_ACK_DELAY.put(body, targetAckDelay);
        FAILOVER_ACCEPTED.put(body, failoverAccepted);
        FLOW_CONTROL.put(body, flowControl);
        RNR_RETRY_COUNT.put(body, rnrRetryCount);
        SRQ.put(body, srq);
        LOCAL_CA_GUID.put(body, localCaGuid);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
