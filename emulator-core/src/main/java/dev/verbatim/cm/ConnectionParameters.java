// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The parameters with which an application connects or accepts, and those of the peer that an event shows
 * ({@code struct rdma_conn_param}). Immutable; each method with a parameter returns a changed copy.
 */
public final class ConnectionParameters {

    /** For the two depths: the device's limit, and in an answer at most what the peer requested (CM-19). */
    public static final int MAX = 255;

    /** Most private data of {@link CmId#connect}, in bytes (CM-20). */
    public static final int MOST_CONNECT_BYTES = 56;

    /** Most private data of {@link CmId#connect} in port space UDP, in bytes. */
    public static final int MOST_DATAGRAM_CONNECT_BYTES = 180;

    /** Most private data of {@link CmId#accept}, in bytes. */
    public static final int MOST_ACCEPT_BYTES = 196;

    /** Most private data of {@link CmId#accept} in port space UDP, in bytes. */
    public static final int MOST_DATAGRAM_ACCEPT_BYTES = 136;

    /** Most private data of {@link CmId#reject}, in bytes. */
    public static final int MOST_REJECT_BYTES = 148;

    private static final int SEVEN = 7;
    private static final int BYTE = 0xff;
    private static final int QP_NUMBER = 0xff_ffff;

    /**
     * As {@code rdma_connect} and {@code rdma_accept} without parameters: depths of the device, seven retries, RNR retries without limit.
     */
    public static final ConnectionParameters USUAL =
            new ConnectionParameters(new byte[0], MAX, MAX, false, SEVEN, SEVEN, false, 0);

    /** The parameters of events that carry none. */
    static final ConnectionParameters NONE = new ConnectionParameters(new byte[0], 0, 0, false, 0, 0, false, 0);

    private final byte[] privateData;
    private final int responderResources;
    private final int initiatorDepth;
    private final boolean flowControl;
    private final int retryCount;
    private final int rnrRetryCount;
    private final boolean srq;
    private final int qpNumber;

    ConnectionParameters(
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            boolean flowControl,
            int retryCount,
            int rnrRetryCount,
            boolean srq,
            int qpNumber) {
        this.privateData = privateData;
        this.responderResources = inRange("responder_resources", responderResources, BYTE);
        this.initiatorDepth = inRange("initiator_depth", initiatorDepth, BYTE);
        this.flowControl = flowControl;
        this.retryCount = Math.min(SEVEN, inRange("retry_count", retryCount, BYTE));
        this.rnrRetryCount = Math.min(SEVEN, inRange("rnr_retry_count", rnrRetryCount, BYTE));
        this.srq = srq;
        this.qpNumber = inRange("qp_num", qpNumber, QP_NUMBER);
    }

    private static int inRange(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_19, "%s=%d is not in 0..%d", name, value, most);
        }
        return value;
    }

    private ConnectionParameters with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new ConnectionParameters(
                draft.privateData,
                draft.responderResources,
                draft.initiatorDepth,
                draft.flowControl,
                draft.retryCount,
                draft.rnrRetryCount,
                draft.srq,
                draft.qpNumber);
    }

    /** The same with private data for the peer's application, which gets them padded with zeros to the size of the message's field. */
    public ConnectionParameters withPrivateData(byte... bytes) {
        byte[] copy = bytes.clone();
        return with(draft -> draft.privateData = copy);
    }

    /** The same with the number of READs and atomics that this side serves at a time; {@link #MAX}, or 0 to the device's limit. */
    public ConnectionParameters withResponderResources(int value) {
        return with(draft -> draft.responderResources = value);
    }

    /** The same with the number of READs and atomics that this side may have outstanding; {@link #MAX}, or 0 to the device's limit. */
    public ConnectionParameters withInitiatorDepth(int value) {
        return with(draft -> draft.initiatorDepth = value);
    }

    /** The same with another end-to-end flow control flag, which is sent to the peer and has no effect. */
    public ConnectionParameters withFlowControl(boolean value) {
        return with(draft -> draft.flowControl = value);
    }

    /** The same with the number of retries of both sides after timeouts, 0 to 255; more than 7 counts as 7. Has no effect in an answer. */
    public ConnectionParameters withRetryCount(int value) {
        return with(draft -> draft.retryCount = value);
    }

    /** The same with the number of retries of the peer after RNR NAKs, 0 to 255; 7 and more means no limit. */
    public ConnectionParameters withRnrRetryCount(int value) {
        return with(draft -> draft.rnrRetryCount = value);
    }

    /** The same with whether there is a shared receive queue; used only for identifiers without a queue pair. */
    public ConnectionParameters withSrq(boolean value) {
        return with(draft -> draft.srq = value);
    }

    /** The same with the number of a queue pair that the application sets up itself, 24 bits. */
    public ConnectionParameters withQpNumber(int value) {
        return with(draft -> draft.qpNumber = value);
    }

    /** Private data; in events padded with zeros. A copy. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** READs and atomics that this side serves at a time. */
    public int responderResources() {
        return responderResources;
    }

    /** READs and atomics that this side has outstanding. */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /** End-to-end flow control; has no effect. */
    public boolean flowControl() {
        return flowControl;
    }

    /** Retries after timeouts. */
    public int retryCount() {
        return retryCount;
    }

    /** Retries after RNR NAKs of the side that receives this. */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /** Whether there is a shared receive queue. */
    public boolean srq() {
        return srq;
    }

    /** Number of the queue pair. */
    public int qpNumber() {
        return qpNumber;
    }

    @Override
    public String toString() {
        return "responder_resources=" + responderResources + " initiator_depth=" + initiatorDepth + " flow_control="
                + flowControl + " retry_count=" + retryCount + " rnr_retry_count=" + rnrRetryCount + " srq=" + srq
                + " qp_num=" + qpNumber + " private_data="
                + (Arrays.equals(privateData, new byte[privateData.length]) ? "zeros" : privateData.length + " bytes");
    }

    /** The values of another one, to be changed. */
    private static final class Draft {
        private byte[] privateData;
        private int responderResources;
        private int initiatorDepth;
        private boolean flowControl;
        private int retryCount;
        private int rnrRetryCount;
        private boolean srq;
        private int qpNumber;

        Draft(ConnectionParameters from) {
            privateData = from.privateData;
            responderResources = from.responderResources;
            initiatorDepth = from.initiatorDepth;
            flowControl = from.flowControl;
            retryCount = from.retryCount;
            rnrRetryCount = from.rnrRetryCount;
            srq = from.srq;
            qpNumber = from.qpNumber;
        }
    }
}
