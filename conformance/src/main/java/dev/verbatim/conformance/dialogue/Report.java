// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.conformance.narration.Happening;
import java.net.InetSocketAddress;
import java.util.List;

/** Whoever watches the dialogue: a reader or a program. */
public interface Report {

    /** A side waits for another. */
    void listening(InetSocketAddress address);

    /**
     * The two are connected.
     *
     * @param how by what, in words
     * @param happenings what the devices did meanwhile
     */
    void connected(String how, List<Facts> sides, List<Happening> happenings);

    /** A step begins. */
    void begun(Step step);

    /** A step is over. */
    void ended(Step step, List<Happening> happenings, List<Outcome> outcomes);

    /** The dialogue is over; whether everything was as the script says. */
    void finished(boolean asExpected);
}
