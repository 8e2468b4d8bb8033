// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/** What a device takes when it is posted, where real devices differ; immutable. The default follows the rules. */
public final class PostingSwitches {

    /** What the rules say. */
    public static final PostingSwitches STRICT = new Builder().build();

    /** What becomes of a request that is posted before the queue pair takes such requests. */
    public enum LaxPost {
        /** EINVAL. */
        NO,
        /** It is taken and lost: it never executes and never completes. */
        DROP,
        /** It is queued, and executes once when the queue pair gets there. */
        DEFER
    }

    /** How a request is refused whose opcode its type of queue pair does not have. */
    public enum IllegalOpcode {
        /** EINVAL when it is posted. */
        EINVAL,
        /** It is queued, and completes with LOC_QP_OP_ERR when its turn comes. */
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

    /** What becomes of sends that are posted before RTS and of receives that are posted in RESET (QP-20, QP-21). */
    public LaxPost laxPost() {
        return values.laxPost;
    }

    /** How a request is refused whose opcode its type of queue pair does not have (WR-01, MW-90). */
    public IllegalOpcode illegalOpcode() {
        return values.illegalOpcode;
    }

    /** Whether an atomic may have more room than its 8 bytes, which are all that it fills (WR-34). */
    public boolean lenientAtomicSize() {
        return values.lenientAtomicSize;
    }

    /** Whether an atomic of a wrong size is refused with EINVAL when it is posted, and does not fail later (WR-34). */
    public boolean atomicSizeRefusedAtPost() {
        return values.atomicSizeRefusedAtPost;
    }

    /** Whether an atomic whose remote address is not a multiple of 8 is refused with EINVAL when it is posted (WR-35). */
    public boolean misalignedAtomicRefusedAtPost() {
        return values.misalignedAtomicRefusedAtPost;
    }

    /** Whether a datagram longer than the path MTU seems to be sent, and is not (WR-40). */
    public boolean udOversizeSilent() {
        return values.udOversizeSilent;
    }

    /** Whether a READ may be posted with INLINE, which makes its elements have no key (WR-22). */
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
