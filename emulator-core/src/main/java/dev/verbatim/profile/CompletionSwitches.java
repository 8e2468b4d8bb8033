// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/** How completions and events of a device behave where real devices differ; immutable. The default follows the rules. */
public final class CompletionSwitches {

    /** What the rules say. */
    public static final CompletionSwitches STRICT = new Builder().build();

    /** What a receive says that a message failed on. */
    public enum ReceiveStatus {
        /** LOC_LEN_ERR, LOC_PROT_ERR, LOC_ACCESS_ERR: what is wrong with the receive. */
        SPEC,
        /** LOC_QP_OP_ERR, and of a WRITE_WITH_IMM REM_ACCESS_ERR, as soft-RoCE has it. */
        RXE
    }

    /** What a send says whose own data cannot be gathered. */
    public enum SendStatus {
        /** LOC_PROT_ERR, whatever is wrong with an element. */
        SPEC,
        /** LOC_QP_OP_ERR if its key does not do, LOC_PROT_ERR if only its range does not, as soft-RoCE has it. */
        RXE
    }

    /** What becomes of a completion queue that has no room for a completion. */
    public enum CqOverrun {
        /** CQ_ERR: it breaks, and its queue pairs with it. */
        BREAKS,
        /** The completion is lost, with a CQ_ERR for each, and the queue goes on. */
        DROPS_NEWEST,
        /** It idles: that completion and all later ones are lost, and nobody is told. */
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
     * What a receive says that a message failed on ({@code recvStatusProfile}, WC-20, WC-21, WC-24), and by that what the sender
     * learns of one that was too short.
     */
    public ReceiveStatus receiveStatus() {
        return values.receiveStatus;
    }

    /** What a send says whose own data cannot be gathered (WC-29). */
    public SendStatus sendStatus() {
        return values.sendStatus;
    }

    /** Whether receives of connected queue pairs have the flag GRH, too, though no GRH precedes their data (WC-02). */
    public boolean grhFlagWithoutGrh() {
        return values.grhFlagWithoutGrh;
    }

    /** Whether a send that succeeded says the length of its elements, whatever it was; if not, only what brings data back says one (WC-02). */
    public boolean senderByteLength() {
        return values.senderByteLength;
    }

    /** Whether a failure has a vendor error; if not, it is 0 (WC-01). */
    public boolean vendorErrors() {
        return values.vendorErrors;
    }

    /** What becomes of a completion queue that has no room for a completion (CQ-03). */
    public CqOverrun cqOverrun() {
        return values.cqOverrun;
    }

    /**
     * Whether what a peer's packets did to a queue pair raises an event: QP_REQ_ERR, QP_ACCESS_ERR and COMM_EST (AE-03 to
     * AE-05).
     */
    public boolean violationEvents() {
        return values.violationEvents;
    }

    /** Whether a queue pair raises SQ_DRAINED though nobody asked for the event (QP-26). */
    public boolean drainAlwaysTold() {
        return values.drainAlwaysTold;
    }

    /**
     * Whether completions have rubbish in the fields that their status, opcode and flags leave undefined
     * ({@code poisonErrorCqeFields}, WC-01, WC-02).
     */
    public boolean poisonErrorCqeFields() {
        return values.poisonErrorCqeFields;
    }

    /** Whether completions of a queue pair that is reset or destroyed stay in their queues (QP-06, QP-24). */
    public boolean outliveQueuePair() {
        return values.outliveQueuePair;
    }

    /** Whether a queue has at most one event that nobody has read (NT-05). */
    public boolean eventsCollapse() {
        return values.eventsCollapse;
    }

    /**
     * Whether what has unacknowledged events waits to be destroyed until they are acknowledged, instead of a refusal
     * ({@code blockingDestroy}, NT-06, QP-06, AE-20); where time is simulated it is refused all the same.
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
