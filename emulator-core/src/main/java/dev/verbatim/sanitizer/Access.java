// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import org.jspecify.annotations.Nullable;

/**
 * An access to memory, by a program or for a request.
 *
 * @param request null for a program's own
 * @param receive the receive whose elements were filled; null for none
 * @param reach how a request of a peer came to the bytes; null for all others
 * @param epoch how far the program was; for a request its number
 * @param isPolled whether it is a load by which a program waits for the value of a word
 */
record Access(
        Kind kind,
        Range range,
        @Nullable Request request,
        @Nullable Request receive,
        @Nullable Reach reach,
        @Nullable ProgramClock program,
        long epoch,
        long deed,
        CallSite site,
        boolean isPolled) {

    /**
     * How a request of a peer came to bytes.
     *
     * @param grant under which the responder executed it
     * @param key the remote key; null if nothing is known of it
     */
    record Reach(QpWatch responder, Grant grant, @Nullable KeyLife key) {

        /** Whether who knows that much knows that nothing comes this way any more. */
        boolean isKnownToBeClosed(VectorClock known) {
            return grant.isKnownToHaveEnded(known) || (key != null && key.isKnownToHaveEnded(known));
        }
    }

    /** Whether it is of an aligned word, and of nothing else that its request touches. */
    boolean isWord() {
        if (range.lengthBytes() != Long.BYTES || (range.address() & (Long.BYTES - 1)) != 0) {
            return false;
        }
        return receive == null && (request == null || request.lengthBytes() == Long.BYTES);
    }

    /** Whether the one is a look of a program that waits for a word, and the other writes this word whole (ORD-37, ORD-34). */
    static boolean isPollOfWord(Access one, Access other) {
        Access load = one.isPolled ? one : other;
        Access written = one.isPolled ? other : one;
        return load.isPolled && !written.isOfProgram() && written.isWriteOfWord() && load.range.equals(written.range);
    }

    /** Whether a program or queue pair looked at memory, and may do so in a loop. */
    boolean isLook() {
        return switch (kind) {
            case LOAD -> program != null && program.mayLoop();
            case FETCH -> request != null && request.mayLoop;
            default -> false;
        };
    }

    /** Whether it writes an aligned word in one step, and its request writes nothing else. */
    boolean isWriteOfWord() {
        return isWordStep() || ((kind == Kind.PLACE || kind == Kind.STORE) && isWord());
    }

    /** Whether it is a look that has the whole of a word that others change in one step. */
    boolean covers(Access step) {
        return isLook() && step.isWordStep() && range.covers(step.range);
    }

    /** Whether it is of a WRITE, at the responder. */
    boolean isRemotePlacement() {
        return kind == Kind.PLACE && receive == null;
    }

    /** Who touches what. */
    enum Kind {
        LOAD(false),
        STORE(true),
        GATHER(false),
        RETURN(true),
        FETCH(false),
        PLACE(true),
        ATOMIC_WRITE(true),
        ATOMIC(true);

        final boolean isWrite;

        Kind(boolean isWrite) {
            this.isWrite = isWrite;
        }
    }

    /** Whether it is one step on a word that others see whole. */
    boolean isWordStep() {
        return kind == Kind.ATOMIC || kind == Kind.ATOMIC_WRITE;
    }

    boolean isOfProgram() {
        return program != null;
    }

    /** Whether it is at the requester's end: the rest is at the responder's. */
    boolean isByRequester() {
        return kind == Kind.GATHER || kind == Kind.RETURN;
    }

    /** Whether the device did it to the elements of a request of its own program. */
    boolean isLocal() {
        return kind == Kind.GATHER || kind == Kind.RETURN || receive != null;
    }

    /** Whether a result or a message came so, into elements of a request. */
    boolean isLocalWrite() {
        return kind.isWrite && isLocal();
    }

    /** Whose buffer it is that the device touches: that of the receive, or of the request. */
    @Nullable
    Request owner() {
        return receive != null ? receive : request;
    }

    /** Whose access it is: the requester's device at its end, the responder's at the other; null for a program. */
    @Nullable
    DeviceWatch device() {
        if (reach != null) {
            return reach.responder().device;
        }
        Request owner = owner();
        return owner == null ? null : owner.device;
    }

    /** What order the region keeps through which a device came to the bytes; STRICT if that is not known. */
    Ordering ordering() {
        Region region = reach == null || reach.key() == null ? null : reach.key().region;
        DeviceWatch device = device();
        if (region == null && device != null) {
            region = device.regionAt(range);
        }
        return region == null ? Ordering.STRICT : region.ordering();
    }

    /** Whether what brought it is known to bring nothing any more, or a program has seen it. */
    boolean isKnownToHaveEnded(VectorClock known) {
        if (reach != null && reach.isKnownToBeClosed(known)) {
            return true;
        }
        return request != null
                && (request.isKnownToBeSeen(known)
                        || (isByRequester()
                                && request.queuePair != null
                                && request.queuePair.isKnownToBeDestroyed(known)));
    }

    /** In a sentence. */
    @Override
    public String toString() {
        String at = site.isEmpty() ? "" : " at " + site;
        if (program != null) {
            return "program " + program.name + (kind == Kind.STORE ? " stored to " : " loaded ") + range + at;
        }
        Request one = request == null ? receive : request;
        String posted = one == null || one.site.isEmpty() ? "" : " posted at " + one.site;
        String does = switch (kind) {
            case GATHER -> " gathers ";
            case FETCH -> " reads ";
            case RETURN -> " returns to ";
            case ATOMIC -> " changes ";
            default -> " writes to ";
        };
        String into = receive == null || receive == one
                ? ""
                : " of the " + receive + (receive.site.isEmpty() ? "" : " posted at " + receive.site);
        return one + posted + does + range + into;
    }
}
