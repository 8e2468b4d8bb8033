// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of the demo: what one side asks for, and what both find afterwards.
 *
 * @param number from 1; also the id of the work requests
 * @param actor the side that asks
 * @param title what it shows, in a sentence
 * @param message what the actor writes into its own memory first; empty for nothing
 * @param work makes the request that the actor posts; null if both sides connect their queue pairs anew instead
 * @param takesReceive whether the other side posts a receive first
 * @param status how the request ends
 * @param event which event the other side's program gets; null for none
 * @param expectedMemory what memory holds in the end
 */
public record DemoStep(
        int number,
        String actor,
        String title,
        String message,
        @Nullable Work work,
        boolean takesReceive,
        WcStatus status,
        @Nullable EventType event,
        List<ExpectedMemory> expectedMemory) {

    /** Makes a request. */
    @FunctionalInterface
    public interface Work {
        /** The request with this id, from the actor's own region to what the other side has told of its own. */
        SendWorkRequest request(long id, DemoEndpoint actor, SideDescription other);
    }
}
