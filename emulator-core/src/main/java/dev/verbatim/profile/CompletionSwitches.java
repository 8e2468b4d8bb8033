// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/**
 * Switches for the behaviour of completions and events on which real devices differ; immutable. The default follows the
 * rules.
 */
public final class CompletionSwitches {

    /** What the rules say. */
    public static final CompletionSwitches STRICT = new Builder().build();

    /** Status of a receive whose message failed. */
    public enum ReceiveStatus {
        /** LOC_LEN_ERR, LOC_PROT_ERR or LOC_ACCESS_ERR, depending on the error. */
        SPEC,
        /** LOC_QP_OP_ERR, and REM_ACCESS_ERR for a WRITE_WITH_IMM, as on soft-RoCE. */
        RXE
    }

    /** Status of a send whose local data cannot be gathered. */
    public enum SendStatus {
        /** LOC_PROT_ERR for every error of an element. */
        SPEC,
        /** LOC_QP_OP_ERR for an invalid key, LOC_PROT_ERR for an invalid range, as on soft-RoCE. */
        RXE
    }

    /** Behaviour of a completion queue on overrun. */
    public enum CqOverrun {
        /** CQ_ERR: the queue fails, and its queue pairs with it. */
        BREAKS,
        /** The new completion is lost, with a CQ_ERR for each, and the queue continues. */
        DROPS_NEWEST,
        /** The queue stops: this completion and all later ones are lost without an event. */
        IDLES
    }

    private final Builder values;

    private CompletionSwitches(Builder values) {
        this.values = new Builder(values);
    }

    /** A builder that starts from these. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /**
     * Status of a receive whose message failed (WC-20, WC-21, WC-24). It also determines the sender's
     * status if the receive was too short.
     */
    public ReceiveStatus receiveStatus() {
        return values.receiveStatus;
    }

    /** Status of a send whose local data cannot be gathered (WC-29). */
    public SendStatus sendStatus() {
        return values.sendStatus;
    }

    /**
     * Whether receives of connected queue pairs also have the flag GRH, although no GRH precedes their data (WC-02).
     */
    public boolean grhFlagWithoutGrh() {
        return values.grhFlagWithoutGrh;
    }

    /**
     * Whether byte_len of every successful send is the length of its elements; if not, only operations that return data
     * set byte_len (WC-02).
     */
    public boolean senderByteLength() {
        return values.senderByteLength;
    }

    /** Whether a failed completion has a vendor error; if not, the field is 0 (WC-01). */
    public boolean vendorErrors() {
        return values.vendorErrors;
    }

    /** Behaviour of a completion queue on overrun (CQ-03). */
    public CqOverrun cqOverrun() {
        return values.cqOverrun;
    }

    /** Whether packets of a peer raise the events QP_REQ_ERR, QP_ACCESS_ERR and COMM_EST (AE-03 to AE-05). */
    public boolean violationEvents() {
        return values.violationEvents;
    }

    /** Whether a queue pair raises SQ_DRAINED even if it was not requested (QP-26). */
    public boolean drainAlwaysTold() {
        return values.drainAlwaysTold;
    }

    /** Whether undefined fields of a completion contain garbage (WC-01, WC-02). */
    public boolean poisonErrorCqeFields() {
        return values.poisonErrorCqeFields;
    }

    /**
     * Whether completions of a queue pair stay in the completion queue when it is reset or destroyed (QP-06, QP-24).
     */
    public boolean outliveQueuePair() {
        return values.outliveQueuePair;
    }

    /** Whether a completion queue has at most one unread event (NT-05). */
    public boolean eventsCollapse() {
        return values.eventsCollapse;
    }

    /**
     * Whether destroying an object with unacknowledged events blocks until they are acknowledged, instead of failing
     * (NT-06, QP-06, AE-20). In simulated time it always fails.
     */
    public boolean blockingDestroy() {
        return values.blockingDestroy;
    }

    /** What is otherwise than the rules have it. */
    @Override
    public String toString() {
        return values.toString();
    }

    /** Collects switches. */
    public static final class Builder {

        private ReceiveStatus receiveStatus = ReceiveStatus.SPEC;
        private SendStatus sendStatus = SendStatus.SPEC;
        private CqOverrun cqOverrun = CqOverrun.BREAKS;
        private boolean grhFlagWithoutGrh;
        private boolean senderByteLength;
        private boolean vendorErrors = true;
        private boolean violationEvents = true;
        private boolean drainAlwaysTold;
        private boolean poisonErrorCqeFields;
        private boolean outliveQueuePair;
        private boolean eventsCollapse;
        private boolean blockingDestroy;

        private Builder() {}

        private Builder(Builder other) {
            receiveStatus = other.receiveStatus;
            sendStatus = other.sendStatus;
            cqOverrun = other.cqOverrun;
            grhFlagWithoutGrh = other.grhFlagWithoutGrh;
            senderByteLength = other.senderByteLength;
            vendorErrors = other.vendorErrors;
            violationEvents = other.violationEvents;
            drainAlwaysTold = other.drainAlwaysTold;
            poisonErrorCqeFields = other.poisonErrorCqeFields;
            outliveQueuePair = other.outliveQueuePair;
            eventsCollapse = other.eventsCollapse;
            blockingDestroy = other.blockingDestroy;
        }

        /** Sets {@link CompletionSwitches#receiveStatus()}. */
        public Builder receiveStatus(ReceiveStatus value) {
            receiveStatus = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#sendStatus()}. */
        public Builder sendStatus(SendStatus value) {
            sendStatus = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#grhFlagWithoutGrh()}. */
        public Builder grhFlagWithoutGrh(boolean value) {
            grhFlagWithoutGrh = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#senderByteLength()}. */
        public Builder senderByteLength(boolean value) {
            senderByteLength = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#vendorErrors()}. */
        public Builder vendorErrors(boolean value) {
            vendorErrors = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#cqOverrun()}. */
        public Builder cqOverrun(CqOverrun value) {
            cqOverrun = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#violationEvents()}. */
        public Builder violationEvents(boolean value) {
            violationEvents = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#drainAlwaysTold()}. */
        public Builder drainAlwaysTold(boolean value) {
            drainAlwaysTold = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#poisonErrorCqeFields()}. */
        public Builder poisonErrorCqeFields(boolean value) {
            poisonErrorCqeFields = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#outliveQueuePair()}. */
        public Builder outliveQueuePair(boolean value) {
            outliveQueuePair = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#eventsCollapse()}. */
        public Builder eventsCollapse(boolean value) {
            eventsCollapse = value;
            return this;
        }

        /** Sets {@link CompletionSwitches#blockingDestroy()}. */
        public Builder blockingDestroy(boolean value) {
            blockingDestroy = value;
            return this;
        }

        /** The switches. */
        public CompletionSwitches build() {
            return new CompletionSwitches(this);
        }

        @Override
        public String toString() {
            return SwitchText.of("CompletionSwitches", this, new Builder());
        }
    }
}
