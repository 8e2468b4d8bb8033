// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of the dialogue: what left asks for, and what both sides find afterwards.
 *
 * @param number from 1; also the id of the work requests
 * @param title what it shows, in a sentence
 * @param message what left writes into its own memory first; empty for nothing
 * @param work makes the request that left posts
 * @param takesReceive whether right posts a receive first
 * @param status how left's request ends
 * @param event which event right's program gets; null for none
 * @param findings what memory holds in the end
 */
public record Step(
        int number,
        String title,
        String message,
        Work work,
        boolean takesReceive,
        WcStatus status,
        @Nullable EventType event,
        List<Finding> findings) {

    /** Makes a request. */
    @FunctionalInterface
    public interface Work {
        /** The request with this id, from left's own region to what right has told of its own. */
        SendWorkRequest request(long id, MemoryRegion mine, Facts right);
    }
}
