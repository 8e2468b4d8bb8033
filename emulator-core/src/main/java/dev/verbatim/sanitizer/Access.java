// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import org.jspecify.annotations.Nullable;

/**
 * An access to memory, by a program or for a request.
 *
 * @param request null for a program's own
 * @param receive the receive whose elements were filled; null for none
 * @param epoch how far the program was; for a request its number
 */
record Access(
        Kind kind,
        Range range,
        @Nullable Request request,
        @Nullable Request receive,
        @Nullable ProgramClock program,
        long epoch,
        long deed,
        Site site) {

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

    /** Whose buffer it is that the device touches: that of the receive, or of the request. */
    @Nullable
    Request owner() {
        return receive != null ? receive : request;
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
