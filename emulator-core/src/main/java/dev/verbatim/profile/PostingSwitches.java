// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/** Switches for the checks on posting on which real devices differ; immutable. The default follows the rules. */
public final class PostingSwitches {

    /** What the rules say. */
    public static final PostingSwitches STRICT = new Builder().build();

    /** Behaviour for a request that is posted in a state that does not permit it yet. */
    public enum LaxPost {
        /** EINVAL. */
        NO,
        /** The request is accepted and dropped: it never executes and never completes. */
        DROP,
        /** The request is queued, and executes when the queue pair reaches a state that permits it. */
        DEFER
    }

    /** How a request is refused if the queue pair type does not support its opcode. */
    public enum IllegalOpcode {
        /** EINVAL when it is posted. */
        EINVAL,
        /** The request is queued, and completes with LOC_QP_OP_ERR when it is its turn. */
        CQE
    }

    private final Builder values;

    private PostingSwitches(Builder values) {
        this.values = new Builder(values);
    }

    /** A builder that starts from these. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Behaviour for sends that are posted before RTS and for receives that are posted in RESET (QP-20, QP-21). */
    public LaxPost laxPost() {
        return values.laxPost;
    }

    /** How a request is refused if the queue pair type does not support its opcode (WR-01, MW-90). */
    public IllegalOpcode illegalOpcode() {
        return values.illegalOpcode;
    }

    /** Whether the result elements of an atomic may be longer than 8 bytes; only 8 bytes are written (WR-34). */
    public boolean lenientAtomicSize() {
        return values.lenientAtomicSize;
    }

    /** Whether an atomic of a wrong size is refused with EINVAL when it is posted, instead of failing later (WR-34). */
    public boolean atomicSizeRefusedAtPost() {
        return values.atomicSizeRefusedAtPost;
    }

    /** Whether an atomic whose remote address is not a multiple of 8 is refused with EINVAL when it is posted (WR-35). */
    public boolean misalignedAtomicRefusedAtPost() {
        return values.misalignedAtomicRefusedAtPost;
    }

    /** Whether a datagram longer than the path MTU completes with success but is not sent (WR-40). */
    public boolean udOversizeSilent() {
        return values.udOversizeSilent;
    }

    /** Whether a READ may be posted with INLINE; its elements then have no valid key (WR-22). */
    public boolean inlineOnReads() {
        return values.inlineOnReads;
    }

    /** What is otherwise than the rules have it. */
    @Override
    public String toString() {
        return values.toString();
    }

    /** Collects switches. */
    public static final class Builder {

        private LaxPost laxPost = LaxPost.NO;
        private IllegalOpcode illegalOpcode = IllegalOpcode.EINVAL;
        private boolean lenientAtomicSize;
        private boolean atomicSizeRefusedAtPost;
        private boolean misalignedAtomicRefusedAtPost;
        private boolean udOversizeSilent;
        private boolean inlineOnReads;

        private Builder() {}

        private Builder(Builder other) {
            laxPost = other.laxPost;
            illegalOpcode = other.illegalOpcode;
            lenientAtomicSize = other.lenientAtomicSize;
            atomicSizeRefusedAtPost = other.atomicSizeRefusedAtPost;
            misalignedAtomicRefusedAtPost = other.misalignedAtomicRefusedAtPost;
            udOversizeSilent = other.udOversizeSilent;
            inlineOnReads = other.inlineOnReads;
        }

        /** Sets {@link PostingSwitches#laxPost()}. */
        public Builder laxPost(LaxPost value) {
            laxPost = value;
            return this;
        }

        /** Sets {@link PostingSwitches#illegalOpcode()}. */
        public Builder illegalOpcode(IllegalOpcode value) {
            illegalOpcode = value;
            return this;
        }

        /** Sets {@link PostingSwitches#lenientAtomicSize()}. */
        public Builder lenientAtomicSize(boolean value) {
            lenientAtomicSize = value;
            return this;
        }

        /** Sets {@link PostingSwitches#atomicSizeRefusedAtPost()}. */
        public Builder atomicSizeRefusedAtPost(boolean value) {
            atomicSizeRefusedAtPost = value;
            return this;
        }

        /** Sets {@link PostingSwitches#misalignedAtomicRefusedAtPost()}. */
        public Builder misalignedAtomicRefusedAtPost(boolean value) {
            misalignedAtomicRefusedAtPost = value;
            return this;
        }

        /** Sets {@link PostingSwitches#udOversizeSilent()}. */
        public Builder udOversizeSilent(boolean value) {
            udOversizeSilent = value;
            return this;
        }

        /** Sets {@link PostingSwitches#inlineOnReads()}. */
        public Builder inlineOnReads(boolean value) {
            inlineOnReads = value;
            return this;
        }

        /** The switches. */
        public PostingSwitches build() {
            return new PostingSwitches(this);
        }

        @Override
        public String toString() {
            return SwitchText.of("PostingSwitches", this, new Builder());
        }
    }
}
