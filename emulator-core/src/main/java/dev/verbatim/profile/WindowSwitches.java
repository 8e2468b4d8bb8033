// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/** How the memory windows of a device behave where real devices differ; immutable. The default follows the rules. */
public final class WindowSwitches {

    /** What the rules say. */
    public static final WindowSwitches STRICT = new Builder().build();

    /** What a window of type 2 is used through. */
    public enum Type2 {
        /** There are none. */
        NONE,
        /** 2A: the queue pair that it was bound over, whatever its domain. */
        A,
        /** 2B: the queue pair that it was bound over, in its domain. */
        B
    }

    /** What becomes of a deregistration while windows are bound to the region. */
    public enum BoundRegion {
        /** It is refused with EBUSY. */
        EBUSY,
        /** It is refused with EINVAL. */
        EINVAL,
        /** It succeeds, and the windows lead nowhere from then on. */
        ORPHAN
    }

    /** What becomes of a SEND_WITH_INV whose key cannot be invalidated; the receiver fails in any case. */
    public enum FailedRemoteInvalidation {
        /** No answer: the sender's retries run out. */
        SILENT,
        /** A NAK for remote access. */
        NAK,
        /** An ACK, as if nothing were wrong. */
        ACKNOWLEDGED
    }

    /** The status of a LOCAL_INV that fails; the specification's own has no number in libibverbs. */
    public enum LocalInvStatus {
        /** As some adapters have it. */
        MW_BIND_ERR,
        /** As soft-RoCE has it. */
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

    /** Whether there are windows of type 1 ({@code mwType1}, MW-02). */
    public boolean type1() {
        return values.type1;
    }

    /** What windows of type 2 are, if there are any ({@code mwType2}, MW-02). */
    public Type2 type2() {
        return values.type2;
    }

    /** What deregistering a region does while windows are bound to it ({@code deregWithBoundWindows}, MR-50). */
    public BoundRegion boundRegion() {
        return values.boundRegion;
    }

    /** What the sender of a SEND_WITH_INV learns that cannot invalidate ({@code sendInvFailure}, MW-85). */
    public FailedRemoteInvalidation failedRemoteInvalidation() {
        return values.failedRemoteInvalidation;
    }

    /** Whether LOCAL_INV of a window that is free already succeeds ({@code localInvFreeWindow}, MW-82). */
    public boolean freeWindowInvalidates() {
        return values.freeWindowInvalidates;
    }

    /** The status of a LOCAL_INV that fails ({@code localInvStatus}, MW-81). */
    public LocalInvStatus localInvStatus() {
        return values.localInvStatus;
    }

    /** Whether a window of type 2 can be bound with the key that it had last ({@code t2SameKeyRebind}, MW-33). */
    public boolean sameKeyRebind() {
        return values.sameKeyRebind;
    }

    /** Whether windows can be bound to a zero-based region ({@code bindZeroBasedMr}, MW-49). */
    public boolean bindZeroBasedMr() {
        return values.bindZeroBasedMr;
    }

    /**
     * Whether the verb that binds type 1 refuses a zero-based region by itself, or the bind fails later (MW-14); only where no window
     * can be bound to such a region.
     */
    public boolean zeroBasedMrRefusedAtPost() {
        return values.zeroBasedMrRefusedAtPost;
    }

    /** Whether bindings of type 2 outlive RESET of their queue pair ({@code keepWindowsOverReset}, MW-94). */
    public boolean keepOverReset() {
        return values.keepOverReset;
    }

    /** Whether windows themselves can be zero-based (MW-43; two devices of K.3 cannot). */
    public boolean zeroBased() {
        return values.zeroBased;
    }

    /** Whether MW_BIND, which means nothing there, may be among the rights of a window (MW-43). */
    public boolean mwBindRight() {
        return values.mwBindRight;
    }

    /** Whether atomics work through windows; where not, a window can have the right, and its use is refused (MW-112). */
    public boolean atomics() {
        return values.atomics;
    }

    /** Whether a range that leaves the region is found when the window is bound, or only when it is used (MW-52, MW-57). */
    public boolean rangeCheckedAtBind() {
        return values.rangeCheckedAtBind;
    }

    /** Whether an unsignaled bind that fails has a completion (B.4). */
    public boolean unsignaledBindErrors() {
        return values.unsignaledBindErrors;
    }

    /** Whether a window is invalidated over any queue pair of its domain, not only that which bound it (K.3). */
    public boolean crossQpInvalidate() {
        return values.crossQpInvalidate;
    }

    /** Whether posting BIND_MW stores the new key into the window of type 2 (MW-31). */
    public boolean bindUpdatesRkey() {
        return values.bindUpdatesRkey;
    }

    /** Whether a bind must come from the key that the device has for the window (MW-41, KEY-08). */
    public boolean currentKeyCompared() {
        return values.currentKeyCompared;
    }

    /** Whether a bind of type 1 that fails gives the window back the key of its last good bind (MW-21). */
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
