// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/**
 * Switches for the behaviour of memory windows on which real devices differ; immutable. The default follows the rules.
 */
public final class WindowSwitches {

    /** What the rules say. */
    public static final WindowSwitches STRICT = new Builder().build();

    /** The queue pairs that can use a window of type 2. */
    public enum Type2 {
        /** Windows of type 2 are not supported. */
        NONE,
        /** 2A: the queue pair that bound it; the protection domain is not checked. */
        A,
        /** 2B: the queue pair that bound it, in the window's protection domain. */
        B
    }

    /** Result of a deregistration while windows are bound to the region. */
    public enum BoundRegion {
        /** Refused with EBUSY. */
        EBUSY,
        /** Refused with EINVAL. */
        EINVAL,
        /** It succeeds, and all later accesses through the windows are refused. */
        ORPHAN
    }

    /** Answer to a SEND_WITH_INV whose key cannot be invalidated. The receive fails in any case. */
    public enum FailedRemoteInvalidation {
        /** No answer: the sender's retries are exhausted. */
        SILENT,
        /** A NAK remote access error. */
        NAK,
        /** An ACK. */
        ACKNOWLEDGED
    }

    /** Status of a failed LOCAL_INV. That of the specification has no number in libibverbs. */
    public enum LocalInvStatus {
        /** As some adapters have it. */
        MW_BIND_ERR,
        /** As soft-RoCE does. */
        LOC_QP_OP_ERR
    }

    private final Builder values;

    private WindowSwitches(Builder values) {
        this.values = new Builder(values);
    }

    /** A builder that starts from these. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Whether windows of type 1 are supported (MW-02). */
    public boolean type1() {
        return values.type1;
    }

    /** Kind of windows of type 2 (MW-02). */
    public Type2 type2() {
        return values.type2;
    }

    /** Result of a deregistration while windows are bound to the region (MR-50). */
    public BoundRegion boundRegion() {
        return values.boundRegion;
    }

    /** Answer to a SEND_WITH_INV whose key cannot be invalidated (MW-85). */
    public FailedRemoteInvalidation failedRemoteInvalidation() {
        return values.failedRemoteInvalidation;
    }

    /** Whether LOCAL_INV of an unbound window succeeds (MW-82). */
    public boolean freeWindowInvalidates() {
        return values.freeWindowInvalidates;
    }

    /** Status of a failed LOCAL_INV (MW-81). */
    public LocalInvStatus localInvStatus() {
        return values.localInvStatus;
    }

    /** Whether a window of type 2 can be bound with its previous key (MW-33). */
    public boolean sameKeyRebind() {
        return values.sameKeyRebind;
    }

    /** Whether windows can be bound to a zero-based region (MW-49). */
    public boolean bindZeroBasedMr() {
        return values.bindZeroBasedMr;
    }

    /**
     * Whether the verb that binds type 1 refuses a zero-based region, or the bind fails on execution (MW-14). Has an
     * effect only if windows cannot be bound to such regions.
     */
    public boolean zeroBasedMrRefusedAtPost() {
        return values.zeroBasedMrRefusedAtPost;
    }

    /** Whether bindings of type 2 stay valid after RESET of their queue pair (MW-94). */
    public boolean keepOverReset() {
        return values.keepOverReset;
    }

    /** Whether windows themselves can be zero-based (MW-43; two devices of K.3 cannot). */
    public boolean zeroBased() {
        return values.zeroBased;
    }

    /** Whether the rights of a window may include MW_BIND, which has no effect (MW-43). */
    public boolean mwBindRight() {
        return values.mwBindRight;
    }

    /**
     * Whether atomics through windows are supported. If not, a window can have the right, but its use is refused
     * (MW-112).
     */
    public boolean atomics() {
        return values.atomics;
    }

    /** Whether a range outside the region is refused on bind, or only on access (MW-52, MW-57). */
    public boolean rangeCheckedAtBind() {
        return values.rangeCheckedAtBind;
    }

    /** Whether a failed unsignaled bind has a completion (B.4). */
    public boolean unsignaledBindErrors() {
        return values.unsignaledBindErrors;
    }

    /**
     * Whether any queue pair of the protection domain can invalidate a window, not only the one that bound it (K.3).
     */
    public boolean crossQpInvalidate() {
        return values.crossQpInvalidate;
    }

    /** Whether posting BIND_MW changes rkey of a window of type 2 (MW-31). */
    public boolean bindUpdatesRkey() {
        return values.bindUpdatesRkey;
    }

    /** Whether a bind must specify the current key of the window (MW-41, KEY-08). */
    public boolean currentKeyCompared() {
        return values.currentKeyCompared;
    }

    /** Whether a failed bind of type 1 restores rkey to that of the last successful bind (MW-21). */
    public boolean failedBindRestoresRkey() {
        return values.failedBindRestoresRkey;
    }

    /** What is otherwise than the rules have it. */
    @Override
    public String toString() {
        return values.toString();
    }

    /** Collects switches. */
    public static final class Builder {

        private boolean type1 = true;
        private Type2 type2 = Type2.B;
        private BoundRegion boundRegion = BoundRegion.EBUSY;
        private FailedRemoteInvalidation failedRemoteInvalidation = FailedRemoteInvalidation.SILENT;
        private boolean freeWindowInvalidates;
        private LocalInvStatus localInvStatus = LocalInvStatus.MW_BIND_ERR;
        private boolean sameKeyRebind = true;
        private boolean bindZeroBasedMr;
        private boolean zeroBasedMrRefusedAtPost = true;
        private boolean keepOverReset;
        private boolean zeroBased = true;
        private boolean mwBindRight;
        private boolean atomics = true;
        private boolean rangeCheckedAtBind = true;
        private boolean unsignaledBindErrors = true;
        private boolean crossQpInvalidate;
        private boolean bindUpdatesRkey;
        private boolean currentKeyCompared;
        private boolean failedBindRestoresRkey;

        private Builder() {}

        private Builder(Builder other) {
            type1 = other.type1;
            type2 = other.type2;
            boundRegion = other.boundRegion;
            failedRemoteInvalidation = other.failedRemoteInvalidation;
            freeWindowInvalidates = other.freeWindowInvalidates;
            localInvStatus = other.localInvStatus;
            sameKeyRebind = other.sameKeyRebind;
            bindZeroBasedMr = other.bindZeroBasedMr;
            zeroBasedMrRefusedAtPost = other.zeroBasedMrRefusedAtPost;
            keepOverReset = other.keepOverReset;
            zeroBased = other.zeroBased;
            mwBindRight = other.mwBindRight;
            atomics = other.atomics;
            rangeCheckedAtBind = other.rangeCheckedAtBind;
            unsignaledBindErrors = other.unsignaledBindErrors;
            crossQpInvalidate = other.crossQpInvalidate;
            bindUpdatesRkey = other.bindUpdatesRkey;
            currentKeyCompared = other.currentKeyCompared;
            failedBindRestoresRkey = other.failedBindRestoresRkey;
        }

        /** Sets {@link WindowSwitches#type1()}. */
        public Builder type1(boolean value) {
            type1 = value;
            return this;
        }

        /** Sets {@link WindowSwitches#type2()}. */
        public Builder type2(Type2 value) {
            type2 = value;
            return this;
        }

        /** Sets {@link WindowSwitches#boundRegion()}. */
        public Builder boundRegion(BoundRegion value) {
            boundRegion = value;
            return this;
        }

        /** Sets {@link WindowSwitches#failedRemoteInvalidation()}. */
        public Builder failedRemoteInvalidation(FailedRemoteInvalidation value) {
            failedRemoteInvalidation = value;
            return this;
        }

        /** Sets {@link WindowSwitches#freeWindowInvalidates()}. */
        public Builder freeWindowInvalidates(boolean value) {
            freeWindowInvalidates = value;
            return this;
        }

        /** Sets {@link WindowSwitches#localInvStatus()}. */
        public Builder localInvStatus(LocalInvStatus value) {
            localInvStatus = value;
            return this;
        }

        /** Sets {@link WindowSwitches#sameKeyRebind()}. */
        public Builder sameKeyRebind(boolean value) {
            sameKeyRebind = value;
            return this;
        }

        /** Sets {@link WindowSwitches#bindZeroBasedMr()}. */
        public Builder bindZeroBasedMr(boolean value) {
            bindZeroBasedMr = value;
            return this;
        }

        /** Sets {@link WindowSwitches#zeroBasedMrRefusedAtPost()}. */
        public Builder zeroBasedMrRefusedAtPost(boolean value) {
            zeroBasedMrRefusedAtPost = value;
            return this;
        }

        /** Sets {@link WindowSwitches#keepOverReset()}. */
        public Builder keepOverReset(boolean value) {
            keepOverReset = value;
            return this;
        }

        /** Sets {@link WindowSwitches#zeroBased()}. */
        public Builder zeroBased(boolean value) {
            zeroBased = value;
            return this;
        }

        /** Sets {@link WindowSwitches#mwBindRight()}. */
        public Builder mwBindRight(boolean value) {
            mwBindRight = value;
            return this;
        }

        /** Sets {@link WindowSwitches#atomics()}. */
        public Builder atomics(boolean value) {
            atomics = value;
            return this;
        }

        /** Sets {@link WindowSwitches#rangeCheckedAtBind()}. */
        public Builder rangeCheckedAtBind(boolean value) {
            rangeCheckedAtBind = value;
            return this;
        }

        /** Sets {@link WindowSwitches#unsignaledBindErrors()}. */
        public Builder unsignaledBindErrors(boolean value) {
            unsignaledBindErrors = value;
            return this;
        }

        /** Sets {@link WindowSwitches#crossQpInvalidate()}. */
        public Builder crossQpInvalidate(boolean value) {
            crossQpInvalidate = value;
            return this;
        }

        /** Sets {@link WindowSwitches#bindUpdatesRkey()}. */
        public Builder bindUpdatesRkey(boolean value) {
            bindUpdatesRkey = value;
            return this;
        }

        /** Sets {@link WindowSwitches#currentKeyCompared()}. */
        public Builder currentKeyCompared(boolean value) {
            currentKeyCompared = value;
            return this;
        }

        /** Sets {@link WindowSwitches#failedBindRestoresRkey()}. */
        public Builder failedBindRestoresRkey(boolean value) {
            failedBindRestoresRkey = value;
            return this;
        }

        /** The switches. */
        public WindowSwitches build() {
            return new WindowSwitches(this);
        }

        @Override
        public String toString() {
            return SwitchText.of("WindowSwitches", this, new Builder());
        }
    }
}
