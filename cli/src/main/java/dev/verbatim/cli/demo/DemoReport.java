// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.sanitizer.Finding;
import java.net.InetSocketAddress;
import java.util.List;

/** Receives the events of the demo, to print them as text or JSON. */
public interface DemoReport {

    /**
     * A side waits for another.
     *
     * @param arguments of {@code connect} besides the address, with a blank before each
     */
    void listening(InetSocketAddress address, String arguments);

    /**
     * The two are connected.
     *
     * @param how by what, in words
     * @param narratedEvents what the devices did meanwhile
     */
    void connected(String how, List<SideDescription> sides, List<NarratedEvent> narratedEvents);

    /** A step begins. */
    void begun(DemoStep step);

    /** A step is over. */
    void ended(DemoStep step, List<NarratedEvent> narratedEvents, List<StepOutcome> outcomes);

    /** The steps are over, all as the script says or not, and each side closes what it opened. */
    default void closing(boolean asExpected) {}

    /** What a sanitizer found, if one watched. */
    default void found(List<Finding> findings) {}

    /** The demo is over. */
    void finished(DemoEnding ending);
}
