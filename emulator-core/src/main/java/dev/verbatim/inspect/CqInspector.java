// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.inspect;

import dev.verbatim.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Watches a completion queue; on the threads of programs. */
public interface CqInspector {

    /**
     * A program has a completion. The completion must not be kept.
     *
     * @param user watches the queue pair; null if that is gone
     * @param ofReceive whether it is of a receive; a failed completion does not say so itself
     * @param sendsDone how many requests of its send queue have completed with it; 0 for a receive
     */
    void polled(@Nullable QpInspector user, WorkCompletion completion, boolean ofReceive, long sendsDone);

    /** A program polls; what it finds is told next. */
    default void looks() {}

    /** A program looked and found nothing. */
    void foundNothing();

    /**
     * A program asked for an event.
     *
     * @param waiting how many completions could be polled at that moment
     */
    void armed(boolean solicitedOnly, long waiting);

    /** A program looked at the status of a completion that it polled here; once for each. */
    void statusSeen();
}
