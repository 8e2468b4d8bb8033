// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import dev.verbatim.conformance.windows.model.Operation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import java.util.Locale;

/**
 * One step of a program: names, numbers and words only, so that it means the same whatever was left out before it. Things are
 * named by their place: {@code w2}, {@code m1}, {@code qp3}, {@code pd1}. {@link Ground} says what is there at the beginning.
 */
public sealed interface Step {

    /** Does it. */
    void playOn(Stage stage);

    /** A step that posts a request to a send queue. */
    sealed interface Posting extends Step {

        /** The queue pair. */
        int qp();

        /** The same request over another queue pair. */
        Posting over(int other);
    }

    /**
     * Two requests at once, of which the first is a bind or LOCAL_INV: what is behind it finds the window as it is then, and is
     * flushed if the first fails (MW-70, MW-71).
     */
    record Together(Posting first, Posting second) implements Step {
        @Override
        public void playOn(Stage stage) {
            first.playOn(stage);
            second.playOn(stage);
        }

        @Override
        public String toString() {
            return first + ", and at once " + second;
        }
    }

    /** {@code ibv_alloc_mw}; what has that name is deallocated before. */
    record Allocate(int window, int pd, MemoryWindowType type) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.allocate(this);
        }

        @Override
        public String toString() {
            return "w" + window + " = allocate " + type.name().replace('_', ' ') + " in pd" + pd + ", instead of what w"
                    + window + " is";
        }
    }

    /** {@code ibv_dealloc_mw}. */
    record Deallocate(int window) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.deallocate(this);
        }

        @Override
        public String toString() {
            return "deallocate w" + window;
        }
    }

    /**
     * A bind, by verb or by work request as it becomes the window's type.
     *
     * @param freshly whether the window is made {@link Ready} before, but for the bind
     * @param byOther whether it is tried in the way of the other type
     * @param region 0 for none
     * @param offset from the first byte of the region
     * @param variant of the key, for type 2
     */
    record Bind(
            int qp,
            int window,
            boolean freshly,
            boolean byOther,
            int region,
            int offset,
            int length,
            int access,
            int variant,
            boolean signaled)
            implements Posting {
        @Override
        public Bind over(int other) {
            return new Bind(other, window, false, byOther, region, offset, length, access, variant, signaled);
        }

        @Override
        public void playOn(Stage stage) {
            stage.bind(this);
        }

        @Override
        public String toString() {
            String to = region == 0 ? "nothing" : "m" + region;
            return String.format(
                    Locale.ROOT,
                    "qp%d: bind w%d%s to %s[%d,%d) %s, key ..%02x%s%s",
                    qp,
                    window,
                    freshly ? ", made ready and free," : "",
                    to,
                    offset,
                    offset + length,
                    AccessFlags.describe(access),
                    variant,
                    byOther ? ", in the way of the other type" : "",
                    quiet(signaled));
        }
    }

    /** LOCAL_INV. */
    record Invalidate(int qp, KeyWord key, boolean signaled) implements Posting {
        @Override
        public Invalidate over(int other) {
            return new Invalidate(other, key, signaled);
        }

        @Override
        public void playOn(Stage stage) {
            stage.invalidate(this);
        }

        @Override
        public String toString() {
            return "qp" + qp + ": LOCAL_INV of " + key + quiet(signaled);
        }
    }

    /** SEND_WITH_INV. */
    record SendInvalidate(int qp, KeyWord key, int length, Receiving receiving, boolean signaled) implements Posting {
        @Override
        public SendInvalidate over(int other) {
            return new SendInvalidate(other, key, length, receiving, signaled);
        }

        @Override
        public void playOn(Stage stage) {
            stage.sendInvalidate(this);
        }

        @Override
        public String toString() {
            return "qp" + qp + ": SEND_WITH_INV of " + length + " bytes, invalidates " + key + ", the peer has "
                    + receiving + quiet(signaled);
        }
    }

    /** WRITE, READ or an atomic, whose length is always 8. */
    record Access(
            int qp, Operation operation, KeyWord key, Spot spot, int length, Receiving receiving, boolean signaled)
            implements Posting {
        @Override
        public Access over(int other) {
            return new Access(other, operation, key, spot, length, receiving, signaled);
        }

        @Override
        public void playOn(Stage stage) {
            stage.access(this);
        }

        @Override
        public String toString() {
            String receive = operation == Operation.WRITE_WITH_IMM ? ", the peer has " + receiving : "";
            return "qp" + qp + ": " + operation + " of " + (operation.isAtomic() ? Long.BYTES : length) + " bytes "
                    + spot + " by " + key + receive + quiet(signaled);
        }
    }

    /** {@code ibv_reg_mr} of a part of that domain's memory; what has that name is deregistered before, if it can be. */
    record Register(int region, int pd, int offset, int length, int access) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.register(this);
        }

        @Override
        public String toString() {
            return "m" + region + " = register [" + offset + "," + (offset + length) + ") of the memory of pd" + pd
                    + " " + AccessFlags.describe(access) + ", instead of what m" + region + " is";
        }
    }

    /** {@code ibv_dereg_mr}. */
    record Deregister(int region) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.deregister(this);
        }

        @Override
        public String toString() {
            return "deregister m" + region;
        }
    }

    /** What ends a life of a queue pair. */
    record End(int qp, Ending ending) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.end(this);
        }

        @Override
        public String toString() {
            return switch (ending) {
                case RESET -> "qp" + qp + ": modify to RESET";
                case ERR -> "qp" + qp + ": modify to ERR";
                case DESTROY -> "destroy qp" + qp;
            };
        }
    }

    /** How {@link End} does it. */
    enum Ending {
        RESET,
        ERR,
        DESTROY
    }

    /**
     * Brings connections back of which an end is not in RTS.
     *
     * @param pair 0 for all
     * @param anew whether both ends are destroyed and made again, and not only RESET
     */
    record Mend(int pair, boolean anew) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.mend(this);
        }

        @Override
        public String toString() {
            String what = pair == 0 ? "every failed connection" : "qp" + (2 * pair - 1) + " and qp" + 2 * pair;
            return (anew ? "make " + what + " again" : "reset " + what) + " and connect";
        }
    }

    /**
     * Whatever it takes to have a window bound: its connection, its region and itself are brought back if they are not there
     * any more, and it is bound if it is not bound.
     */
    record Ready(int window, int offset, int length, int access) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.ready(this);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "make w%d ready: bound over qp%d to m%d[%d,%d) %s",
                    window,
                    Ground.WINDOWS.get(window - 1).qp(),
                    Ground.usualRegion(window),
                    offset,
                    offset + length,
                    AccessFlags.describe(access));
        }
    }

    /** {@code ibv_dealloc_pd}; if it succeeds, a domain of that name is allocated again. */
    record FreePd(int pd) implements Step {
        @Override
        public void playOn(Stage stage) {
            stage.freePd(this);
        }

        @Override
        public String toString() {
            return "deallocate pd" + pd + " (and allocate it again)";
        }
    }

    /** What the peer has posted when a message comes that takes a receive. */
    enum Receiving {
        ROOM("a receive"),
        LITTLE_ROOM("a receive of 8 bytes"),
        NOTHING("no receive, unless one is left");

        private final String words;

        Receiving(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private static String quiet(boolean signaled) {
        return signaled ? "" : ", unsignaled";
    }
}
