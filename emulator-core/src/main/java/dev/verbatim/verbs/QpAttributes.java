// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair ({@code struct ibv_qp_attr}), mutable as in C. Setting an attribute adds it to
 * {@link #mask()}, so {@link QueuePair#modify(QpAttributes)} needs no mask argument.
 */
public final class QpAttributes {

    private int mask;
    private QpState state = QpState.RESET;
    private QpState currentState = QpState.RESET;
    private boolean notifyDrained;
    private int accessFlags;
    private int pkeyIndex;
    private int portNumber;
    private int queueKey;
    private @Nullable AddressVector addressVector;
    private PathMtu pathMtu = PathMtu.MTU_1024;
    private int timeout;
    private int retryCount;
    private int rnrRetry;
    private int rqPsn;
    private int maxRdAtomic;
    private int minRnrTimer;
    private int sqPsn;
    private int maxDestRdAtomic;
    private int destinationQp;
    private boolean draining;
    private @Nullable Refusal reason;

    /** No attribute set. */
    public QpAttributes() {}

    /** A copy of {@code other} with its mask. */
    public QpAttributes(QpAttributes other) {
        mask = other.mask;
        state = other.state;
        currentState = other.currentState;
        notifyDrained = other.notifyDrained;
        accessFlags = other.accessFlags;
        pkeyIndex = other.pkeyIndex;
        portNumber = other.portNumber;
        queueKey = other.queueKey;
        addressVector = other.addressVector;
        pathMtu = other.pathMtu;
        timeout = other.timeout;
        retryCount = other.retryCount;
        rnrRetry = other.rnrRetry;
        rqPsn = other.rqPsn;
        maxRdAtomic = other.maxRdAtomic;
        minRnrTimer = other.minRnrTimer;
        sqPsn = other.sqPsn;
        maxDestRdAtomic = other.maxDestRdAtomic;
        destinationQp = other.destinationQp;
        draining = other.draining;
        reason = other.reason;
    }

    /** The {@link QpAttributeMask} of the attributes that have been set. */
    public int mask() {
        return mask;
    }

    /** Copies the attributes in the mask {@code chosen} from {@code source}. */
    public void assign(QpAttributes source, int chosen) {
        if ((chosen & QpAttributeMask.STATE) != 0) {
            state(source.state);
        }
        if ((chosen & QpAttributeMask.CUR_STATE) != 0) {
            currentState(source.currentState);
        }
        if ((chosen & QpAttributeMask.EN_SQD_ASYNC_NOTIFY) != 0) {
            notifyDrained(source.notifyDrained);
        }
        if ((chosen & QpAttributeMask.ACCESS_FLAGS) != 0) {
            accessFlags(source.accessFlags);
        }
        if ((chosen & QpAttributeMask.PKEY_INDEX) != 0) {
            pkeyIndex(source.pkeyIndex);
        }
        if ((chosen & QpAttributeMask.PORT) != 0) {
            portNumber(source.portNumber);
        }
        if ((chosen & QpAttributeMask.QKEY) != 0) {
            queueKey(source.queueKey);
        }
        if ((chosen & QpAttributeMask.AV) != 0) {
            addressVector(source.addressVector);
        }
        if ((chosen & QpAttributeMask.PATH_MTU) != 0) {
            pathMtu(source.pathMtu);
        }
        if ((chosen & QpAttributeMask.TIMEOUT) != 0) {
            timeout(source.timeout);
        }
        if ((chosen & QpAttributeMask.RETRY_CNT) != 0) {
            retryCount(source.retryCount);
        }
        if ((chosen & QpAttributeMask.RNR_RETRY) != 0) {
            rnrRetry(source.rnrRetry);
        }
        if ((chosen & QpAttributeMask.RQ_PSN) != 0) {
            rqPsn(source.rqPsn);
        }
        if ((chosen & QpAttributeMask.MAX_QP_RD_ATOMIC) != 0) {
            maxRdAtomic(source.maxRdAtomic);
        }
        if ((chosen & QpAttributeMask.MIN_RNR_TIMER) != 0) {
            minRnrTimer(source.minRnrTimer);
        }
        if ((chosen & QpAttributeMask.SQ_PSN) != 0) {
            sqPsn(source.sqPsn);
        }
        if ((chosen & QpAttributeMask.MAX_DEST_RD_ATOMIC) != 0) {
            maxDestRdAtomic(source.maxDestRdAtomic);
        }
        if ((chosen & QpAttributeMask.DEST_QPN) != 0) {
            destinationQp(source.destinationQp);
        }
    }

    /** Whether the send queue is draining; queries only. */
    public boolean draining() {
        return draining;
    }

    /** Set by the device. */
    public QpAttributes draining(boolean value) {
        draining = value;
        return this;
    }

    /**
     * Why the queue pair goes to ERR; in a query why it is in ERR or SQE, or null. It is no attribute and has no bit in the mask: it
     * is the {@linkplain Refusal#cause() cause} of completions with WR_FLUSH_ERR (QP-22).
     */
    public @Nullable Refusal reason() {
        return reason;
    }

    /** Sets {@link #reason()}; without one the cause is that a program changed the state. */
    public QpAttributes reason(@Nullable Refusal value) {
        reason = value;
        return this;
    }

    /** Requested state; in a query the current state. */
    public QpState state() {
        return state;
    }

    /** Sets {@link #state()}. */
    public QpAttributes state(QpState value) {
        state = value;
        mask |= QpAttributeMask.STATE;
        return this;
    }

    /** Current state as expected by the caller (QS-05). */
    public QpState currentState() {
        return currentState;
    }

    /** Sets {@link #currentState()}. */
    public QpAttributes currentState(QpState value) {
        currentState = value;
        mask |= QpAttributeMask.CUR_STATE;
        return this;
    }

    /** Whether the event SQ_DRAINED is requested. */
    public boolean notifyDrained() {
        return notifyDrained;
    }

    /** Sets {@link #notifyDrained()}. */
    public QpAttributes notifyDrained(boolean value) {
        notifyDrained = value;
        mask |= QpAttributeMask.EN_SQD_ASYNC_NOTIFY;
        return this;
    }

    /** Remote rights that the queue pair grants: REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC (QV-08). */
    public int accessFlags() {
        return accessFlags;
    }

    /** Sets {@link #accessFlags()}. */
    public QpAttributes accessFlags(int value) {
        accessFlags = value;
        mask |= QpAttributeMask.ACCESS_FLAGS;
        return this;
    }

    /** Index into the partition key table (QV-07). */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /** Sets {@link #pkeyIndex()}. */
    public QpAttributes pkeyIndex(int value) {
        pkeyIndex = value;
        mask |= QpAttributeMask.PKEY_INDEX;
        return this;
    }

    /** Physical port, from 1 (QV-06). */
    public int portNumber() {
        return portNumber;
    }

    /** Sets {@link #portNumber()}. */
    public QpAttributes portNumber(int value) {
        portNumber = value;
        mask |= QpAttributeMask.PORT;
        return this;
    }

    /** Queue key, UD only. */
    public int queueKey() {
        return queueKey;
    }

    /** Sets {@link #queueKey()}. */
    public QpAttributes queueKey(int value) {
        queueKey = value;
        mask |= QpAttributeMask.QKEY;
        return this;
    }

    /** Address of the peer. */
    public @Nullable AddressVector addressVector() {
        return addressVector;
    }

    /** Sets {@link #addressVector()}. */
    public QpAttributes addressVector(@Nullable AddressVector value) {
        addressVector = value;
        mask |= QpAttributeMask.AV;
        return this;
    }

    /** Payload bytes of a full packet (QV-03). */
    public PathMtu pathMtu() {
        return pathMtu;
    }

    /** Sets {@link #pathMtu()}. */
    public QpAttributes pathMtu(PathMtu value) {
        pathMtu = value;
        mask |= QpAttributeMask.PATH_MTU;
        return this;
    }

    /** ACK timeout code 0 to 31: 4.096 us * 2^code; 0 means no timeout (RT-01). */
    public int timeout() {
        return timeout;
    }

    /** Sets {@link #timeout()}. */
    public QpAttributes timeout(int value) {
        timeout = value;
        mask |= QpAttributeMask.TIMEOUT;
        return this;
    }

    /** Retries after timeouts and sequence NAKs, 0 to 7; seven means seven (RT-02). */
    public int retryCount() {
        return retryCount;
    }

    /** Sets {@link #retryCount()}. */
    public QpAttributes retryCount(int value) {
        retryCount = value;
        mask |= QpAttributeMask.RETRY_CNT;
        return this;
    }

    /** Retries after RNR NAKs, 0 to 6; 7 retries for ever (RT-03). */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** Sets {@link #rnrRetry()}. */
    public QpAttributes rnrRetry(int value) {
        rnrRetry = value;
        mask |= QpAttributeMask.RNR_RETRY;
        return this;
    }

    /** First expected PSN; only the low 24 bits are used (QV-05). */
    public int rqPsn() {
        return rqPsn;
    }

    /** Sets {@link #rqPsn()}. */
    public QpAttributes rqPsn(int value) {
        rqPsn = value;
        mask |= QpAttributeMask.RQ_PSN;
        return this;
    }

    /** READs and atomics that may be outstanding as requester (WR-33). */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** Sets {@link #maxRdAtomic()}. */
    public QpAttributes maxRdAtomic(int value) {
        maxRdAtomic = value;
        mask |= QpAttributeMask.MAX_QP_RD_ATOMIC;
        return this;
    }

    /** RNR timer code 0 to 31 that this side sends as responder (RT-04). */
    public int minRnrTimer() {
        return minRnrTimer;
    }

    /** Sets {@link #minRnrTimer()}. */
    public QpAttributes minRnrTimer(int value) {
        minRnrTimer = value;
        mask |= QpAttributeMask.MIN_RNR_TIMER;
        return this;
    }

    /** First sent PSN; only the low 24 bits are used (QV-05). */
    public int sqPsn() {
        return sqPsn;
    }

    /** Sets {@link #sqPsn()}. */
    public QpAttributes sqPsn(int value) {
        sqPsn = value;
        mask |= QpAttributeMask.SQ_PSN;
        return this;
    }

    /** READs and atomics that may be outstanding as responder (WR-33). */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /** Sets {@link #maxDestRdAtomic()}. */
    public QpAttributes maxDestRdAtomic(int value) {
        maxDestRdAtomic = value;
        mask |= QpAttributeMask.MAX_DEST_RD_ATOMIC;
        return this;
    }

    /** Number of the peer's queue pair, 24 bits (QV-09). */
    public int destinationQp() {
        return destinationQp;
    }

    /** Sets {@link #destinationQp()}. */
    public QpAttributes destinationQp(int value) {
        destinationQp = value;
        mask |= QpAttributeMask.DEST_QPN;
        return this;
    }

    /** The attributes that were set, such as {@code QpAttributes[state=RTS, timeout=14, sqPsn=7]}. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "QpAttributes[", "]");
        add(text, QpAttributeMask.STATE, "state", state);
        add(text, QpAttributeMask.CUR_STATE, "currentState", currentState);
        add(text, QpAttributeMask.EN_SQD_ASYNC_NOTIFY, "notifyDrained", notifyDrained);
        add(text, QpAttributeMask.ACCESS_FLAGS, "accessFlags", AccessFlags.describe(accessFlags));
        add(text, QpAttributeMask.PKEY_INDEX, "pkeyIndex", pkeyIndex);
        add(text, QpAttributeMask.PORT, "portNumber", portNumber);
        add(text, QpAttributeMask.QKEY, "queueKey", String.format(Locale.ROOT, "0x%08x", queueKey));
        add(text, QpAttributeMask.AV, "addressVector", addressVector);
        add(text, QpAttributeMask.PATH_MTU, "pathMtu", pathMtu);
        add(text, QpAttributeMask.TIMEOUT, "timeout", timeout);
        add(text, QpAttributeMask.RETRY_CNT, "retryCount", retryCount);
        add(text, QpAttributeMask.RNR_RETRY, "rnrRetry", rnrRetry);
        add(text, QpAttributeMask.RQ_PSN, "rqPsn", rqPsn);
        add(text, QpAttributeMask.MAX_QP_RD_ATOMIC, "maxRdAtomic", maxRdAtomic);
        add(text, QpAttributeMask.MIN_RNR_TIMER, "minRnrTimer", minRnrTimer);
        add(text, QpAttributeMask.SQ_PSN, "sqPsn", sqPsn);
        add(text, QpAttributeMask.MAX_DEST_RD_ATOMIC, "maxDestRdAtomic", maxDestRdAtomic);
        add(text, QpAttributeMask.DEST_QPN, "destinationQp", "0x" + Integer.toHexString(destinationQp));
        return text.toString();
    }

    private void add(StringJoiner text, int attribute, String name, @Nullable Object value) {
        if ((mask & attribute) != 0) {
            text.add(name + "=" + value);
        }
    }
}
