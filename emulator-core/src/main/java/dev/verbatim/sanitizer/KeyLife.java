// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import org.jspecify.annotations.Nullable;

/** A remote key: what it is of, who uses it, and how it ended. */
final class KeyLife {

    final String what;

    /** The region whose key it is; null for that of a window. */
    @Nullable
    Region region;

    /** The request that made it the key of a window; null if it needed none. */
    @Nullable
    Request bind;

    /** The last requests of peers that touched memory by it. */
    private final RecentItems<Request> users = new RecentItems<>();

    boolean isValid = true;

    /** How it was revoked, by whom and where; empty while it is valid. */
    String how = "";

    CallSite site = CallSite.UNKNOWN;
    long revokedNanos;

    KeyLife(String what) {
        this.what = what;
    }

    /** The bind that had made this key before; null if none did. */
    private @Nullable Request earlier;

    /** The key was one before, and has come again: a window has 256 variants. */
    void follows(KeyLife before) {
        earlier = before.bind == null ? before.earlier : before.bind;
    }

    /** That the user may mean an earlier bind with this key, in some words; empty if that is not known. */
    String confusionOf(Request user) {
        Request binding = earlier;
        QpWatch binder = binding == null ? null : binding.queuePair;
        return binding == null || binder == null || !isPast(binder, binding, user.clock)
                ? ""
                : "; it knows the same key from " + binding.posted()
                        + ": the keys of a window come again after 256 binds, so forget a key that was revoked";
    }

    /** Whether it is the first time that this request touches memory by the key. */
    boolean isNewUser(Request request) {
        if (users.last() == request) {
            return false;
        }
        users.add(request);
        return true;
    }

    /** Whether who uses it knows that its bind has been executed, or was told by a later message of the same queue (MW-70). */
    boolean isKnownTo(Request user) {
        Request binding = bind;
        QpWatch binder = binding == null ? null : binding.queuePair;
        return binding == null || binder == null || isPast(binder, binding, user.clock);
    }

    /**
     * A request that uses the key, and that who revokes it does not know to be over; null if there is none.
     *
     * @param revoker null for a program that calls a verb
     */
    @Nullable
    Request stillUsing(VectorClock known, @Nullable Request revoker) {
        return users.find(user -> {
            QpWatch queuePair = user.queuePair;
            Grant grant = user.grant;
            return queuePair != null
                    && !isPast(queuePair, user, known)
                    && !isInOrder(user, revoker)
                    && !(grant != null && grant.isKnownToHaveEnded(known));
        });
    }

    /** Whether the queue of both executes the user first. */
    private static boolean isInOrder(Request user, @Nullable Request revoker) {
        return revoker != null
                && revoker.queuePair == user.queuePair
                && (!user.isAnswered() || revoker.isFenced || revoker.number < user.number);
    }

    /** How it ended, and where, in some words. */
    String ended() {
        return how + (site.isEmpty() ? "" : " at " + site);
    }

    /** What ended it; all null while it is valid, or if that is not known. */
    private @Nullable Request revoker, revokingReceive;

    private ProgramClock.@Nullable Moment revocation;

    /**
     * A request ends it.
     *
     * @param request of its own queue pair or of the peer; null for one of the peer that is forgotten
     * @param receive what reports that of the peer
     */
    void endBy(@Nullable Request request, @Nullable Request receive) {
        revoker = request;
        revokingReceive = receive;
    }

    /** A program ends it by a verb. */
    void endBy(ProgramClock program) {
        revocation = program.newMoment();
    }

    /** Whether who knows that much knows that it has ended, and with it all accesses by it (MW-92). */
    boolean isKnownToHaveEnded(VectorClock known) {
        if (revocation != null) {
            return revocation.isKnownTo(known);
        }
        return (revoker != null && revoker.queuePair != null && isPast(revoker.queuePair, revoker, known))
                || (revokingReceive != null && revokingReceive.isKnownToBeOver(known));
    }

    void end(String manner, CallSite place, long nowNanos) {
        isValid = false;
        how = manner;
        site = place;
        revokedNanos = nowNanos;
    }

    /** Whether who knows that much knows that the peer's device has done all of this request, or this device if it stays here. */
    private static boolean isPast(QpWatch queuePair, Request request, VectorClock known) {
        boolean isLocal = request.isLocal();
        return known.get(queuePair.executed) >= request.number
                || known.get(queuePair.shown) >= request.number
                || (isLocal && known.get(queuePair.done) >= request.number);
    }

    /** A fenced request begins, and so do all behind it, when the READs and atomics before it are complete (ORD-19, ORD-20). */
    static void passFence(VectorClock known, QpWatch queuePair) {
        for (Request request : queuePair.sends) {
            if (request.isAnswered()) {
                known.advance(queuePair.done, request.number);
                known.advance(queuePair.executed, request.number);
                known.advance(queuePair.shown, request.number);
            }
        }
    }
}
