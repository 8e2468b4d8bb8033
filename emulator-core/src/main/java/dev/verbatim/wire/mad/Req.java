// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Asks for a connection.
 *
 * @param localId the sender's communication ID
 * @param vendorId of the options offered, 24 bits; 0 for none
 * @param serviceId which service; see {@link ServiceId}
 * @param localCaGuid the sender's node GUID
 * @param localQueueKey 0 for a reliable connection
 * @param localQpn number of the sender's queue pair
 * @param responderResources READs and atomics that the sender serves at a time
 * @param localEecn end-to-end context; 0
 * @param initiatorDepth READs and atomics that the sender will have outstanding
 * @param remoteEecn end-to-end context; 0
 * @param remoteResponseTimeout how long the receiver may take to answer, a code of {@link CmTimeout}
 * @param transportType one of the constants here
 * @param flowControl whether the sender does end-to-end flow control
 * @param startingPsn that the sender expects first, so with which the receiver begins
 * @param localResponseTimeout how long the sender may take to answer a REP, a code of {@link CmTimeout}
 * @param retryCount that the receiver's queue pair is to use
 * @param pathMtu code: 1 for 256 bytes to 5 for 4096
 * @param rdcExists whether there is a reliable datagram channel already
 * @param rnrRetryCount that the receiver's queue pair is to use
 * @param maxCmRetries how often a message is repeated
 * @param srq whether the sender's queue pair uses a shared receive queue
 * @param extendedTransportType {@link #EXTENDED_XRC} if the transport type is {@link #TRANSPORT_EXTENDED}, else 0
 * @param primary the path
 * @param alternate another one, or {@link Path#NONE}
 * @param sapSupported whether the sender knows to suggest paths
 * @param privateData 92 bytes, padded with zeros if shorter
 */
public record Req(
        int localId,
        int vendorId,
        long serviceId,
        long localCaGuid,
        int localQueueKey,
        int localQpn,
        int responderResources,
        int localEecn,
        int initiatorDepth,
        int remoteEecn,
        int remoteResponseTimeout,
        int transportType,
        boolean flowControl,
        int startingPsn,
        int localResponseTimeout,
        int retryCount,
        int partitionKey,
        int pathMtu,
        boolean rdcExists,
        int rnrRetryCount,
        int maxCmRetries,
        boolean srq,
        int extendedTransportType,
        Path primary,
        Path alternate,
        boolean sapSupported,
        Octets privateData)
        implements CmMessage {

    /** Reliable connection. */
    public static final int TRANSPORT_RC = 0;

    /** Unreliable connection. */
    public static final int TRANSPORT_UC = 1;

    /** Reliable datagram. */
    public static final int TRANSPORT_RD = 2;

    /** What the extended transport type says. */
    public static final int TRANSPORT_EXTENDED = 3;

    /** Extended reliable connection. */
    public static final int EXTENDED_XRC = 1;

    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field VENDOR_ID = Field.at(5, 24, "vendorId");
    private static final LongField SERVICE_ID = new LongField(8);
    private static final LongField LOCAL_CA_GUID = new LongField(16);
    private static final Field LOCAL_QUEUE_KEY = Field.at(28, 32, "localQueueKey");
    private static final Field LOCAL_QPN = Field.at(32, 24, "localQpn");
    private static final Field RESPONDER_RESOURCES = Field.at(35, 8, "responderResources");
    private static final Field LOCAL_EECN = Field.at(36, 24, "localEecn");
    private static final Field INITIATOR_DEPTH = Field.at(39, 8, "initiatorDepth");
    private static final Field REMOTE_EECN = Field.at(40, 24, "remoteEecn");
    private static final Field REMOTE_RESPONSE_TIMEOUT = Field.within(43, 7, 3, "remoteResponseTimeout");
    private static final Field TRANSPORT_TYPE = Field.within(43, 2, 1, "transportType");
    private static final Field FLOW_CONTROL = Field.within(43, 0, 0, "flowControl");
    private static final Field STARTING_PSN = Field.at(44, 24, "startingPsn");
    private static final Field LOCAL_RESPONSE_TIMEOUT = Field.within(47, 7, 3, "localResponseTimeout");
    private static final Field RETRY_COUNT = Field.within(47, 2, 0, "retryCount");
    private static final Field PARTITION_KEY = Field.at(48, 16, "partitionKey");
    private static final Field PATH_MTU = Field.within(50, 7, 4, "pathMtu");
    private static final Field RDC_EXISTS = Field.within(50, 3, 3, "rdcExists");
    private static final Field RNR_RETRY_COUNT = Field.within(50, 2, 0, "rnrRetryCount");
    private static final Field MAX_CM_RETRIES = Field.within(51, 7, 4, "maxCmRetries");
    private static final Field SRQ = Field.within(51, 3, 3, "srq");
    private static final Field EXTENDED_TRANSPORT_TYPE = Field.within(51, 2, 0, "extendedTransportType");
    private static final Field SAP_SUPPORTED = Field.within(139, 2, 2, "sapSupported");
    private static final Block PRIVATE_DATA = Block.privateData(140);

    /** Checks that each value fits its field, and pads the private data. */
    public Req {
        VENDOR_ID.check(vendorId);
        LOCAL_QPN.check(localQpn);
        RESPONDER_RESOURCES.check(responderResources);
        LOCAL_EECN.check(localEecn);
        INITIATOR_DEPTH.check(initiatorDepth);
        REMOTE_EECN.check(remoteEecn);
        REMOTE_RESPONSE_TIMEOUT.check(remoteResponseTimeout);
        TRANSPORT_TYPE.check(transportType);
        STARTING_PSN.check(startingPsn);
        LOCAL_RESPONSE_TIMEOUT.check(localResponseTimeout);
        RETRY_COUNT.check(retryCount);
        PARTITION_KEY.check(partitionKey);
        PATH_MTU.check(pathMtu);
        RNR_RETRY_COUNT.check(rnrRetryCount);
        MAX_CM_RETRIES.check(maxCmRetries);
        EXTENDED_TRANSPORT_TYPE.check(extendedTransportType);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Req parse(byte[] body) {
        return new Req(
                LOCAL_ID.get(body),
                VENDOR_ID.get(body),
                SERVICE_ID.get(body),
                LOCAL_CA_GUID.get(body),
                LOCAL_QUEUE_KEY.get(body),
                LOCAL_QPN.get(body),
                RESPONDER_RESOURCES.get(body),
                LOCAL_EECN.get(body),
                INITIATOR_DEPTH.get(body),
                REMOTE_EECN.get(body),
                REMOTE_RESPONSE_TIMEOUT.get(body),
                TRANSPORT_TYPE.get(body),
                FLOW_CONTROL.isSet(body),
                STARTING_PSN.get(body),
                LOCAL_RESPONSE_TIMEOUT.get(body),
                RETRY_COUNT.get(body),
                PARTITION_KEY.get(body),
                PATH_MTU.get(body),
                RDC_EXISTS.isSet(body),
                RNR_RETRY_COUNT.get(body),
                MAX_CM_RETRIES.get(body),
                SRQ.isSet(body),
                EXTENDED_TRANSPORT_TYPE.get(body),
                PathLayout.PRIMARY_OF_REQ.parse(body),
                PathLayout.ALTERNATE_OF_REQ.parse(body),
                SAP_SUPPORTED.isSet(body),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REQ;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        VENDOR_ID.put(body, vendorId);
        SERVICE_ID.put(body, serviceId);
        LOCAL_CA_GUID.put(body, localCaGuid);
        LOCAL_QUEUE_KEY.put(body, localQueueKey);
        LOCAL_QPN.put(body, localQpn);
        RESPONDER_RESOURCES.put(body, responderResources);
        LOCAL_EECN.put(body, localEecn);
        INITIATOR_DEPTH.put(body, initiatorDepth);
        REMOTE_EECN.put(body, remoteEecn);
        REMOTE_RESPONSE_TIMEOUT.put(body, remoteResponseTimeout);
        TRANSPORT_TYPE.put(body, transportType);
        FLOW_CONTROL.put(body, flowControl);
        STARTING_PSN.put(body, startingPsn);
        LOCAL_RESPONSE_TIMEOUT.put(body, localResponseTimeout);
        RETRY_COUNT.put(body, retryCount);
        PARTITION_KEY.put(body, partitionKey);
        PATH_MTU.put(body, pathMtu);
        RDC_EXISTS.put(body, rdcExists);
        RNR_RETRY_COUNT.put(body, rnrRetryCount);
        MAX_CM_RETRIES.put(body, maxCmRetries);
        SRQ.put(body, srq);
        EXTENDED_TRANSPORT_TYPE.put(body, extendedTransportType);
        PathLayout.PRIMARY_OF_REQ.emit(primary, body);
        PathLayout.ALTERNATE_OF_REQ.emit(alternate, body);
        SAP_SUPPORTED.put(body, sapSupported);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }

    /** The values that most requests have: see {@link ReqBuilder}. */
    public static ReqBuilder builder() {
        return new ReqBuilder();
    }
}
