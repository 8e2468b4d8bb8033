// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoicePoint;

/**
 * What a choice point means for a program that failed because of it.
 *
 * @param permits what devices, links and programs may do there
 * @param remedy what a program does that does not rely on the opposite
 */
record PointWords(String permits, String remedy) {

    /** The words for a run in which nothing is of several queue pairs, or for any other. */
    static PointWords of(ChoicePoint point, boolean ofOneConnection) {
        return ofOneConnection ? ofOneConnection(point) : of(point);
    }

    private static PointWords ofOneConnection(ChoicePoint point) {
        return switch (point) {
            case REQUEST, GATHER_SPLIT ->
                new PointWords(
                        "a posted request is sent, and its source read, at any time until it completes",
                        "await the completion of a request before its source is changed, and before the peer is taken to know"
                                + " of it");
            case ARRIVAL ->
                new PointWords(
                        "a packet may be under way for long, and what goes the other way does not wait for it",
                        "let one side wait for what the other must have done, by a completion or by a message");
            case COMPLETION ->
                new PointWords(
                        "a completion may be seen late",
                        "await each completion by its own wr_id, and look again after requestNotify");
            default -> of(point);
        };
    }

    static PointWords of(ChoicePoint point) {
        return switch (point.kind()) {
            case ORDER -> ofOrder(point);
            case ALTERNATIVE, NUMBER -> ofAlternative(point);
            case FAULT -> ofFault(point);
        };
    }

    private static PointWords ofOrder(ChoicePoint point) {
        return switch (point) {
            case PLACEMENT ->
                new PointWords(
                        "a device may place the bytes that it accepted later and in any order, until a completion promises that they"
                                + " are there",
                        "wait for a completion behind the data on the same queue pair (the receive of a SEND or of a WRITE with"
                                + " immediate, or the own completion of a READ) before the bytes are read, or set a flag by an"
                                + " ATOMIC_WRITE");
            case REQUEST, GATHER_SPLIT ->
                new PointWords(
                        "a posted request is sent, and its source read, at any time until it completes, and queue pairs do not"
                                + " wait for each other",
                        "await the completion of a request before its source is changed, and before something is done on another"
                                + " queue pair that relies on it");
            case READ_FETCH, FETCH_SPLIT ->
                new PointWords(
                        "a READ is fetched at any time between its arrival and its completion, packet by packet and word by word,"
                                + " also behind later requests",
                        "use a FENCE, or await the completion of the READ, before what it reads is changed");
            case ACKNOWLEDGEMENT ->
                new PointWords(
                        "an acknowledgement may come late, so that the peer knows of a request before its sender does",
                        "do not conclude from a missing completion that a request was not executed");
            case ARRIVAL ->
                new PointWords(
                        "packets of different queue pairs, and answers, arrive in any order",
                        "order requests of different queue pairs or peers by completions; put what belongs together on one queue"
                                + " pair, with a FENCE behind a READ or an atomic");
            case COMPLETION ->
                new PointWords(
                        "a completion may be seen late, and those of two queue pairs in any order",
                        "await each completion by its own wr_id and queue pair, and look again after requestNotify");
            case ASYNC_EVENT ->
                new PointWords(
                        "an asynchronous event may be readable late",
                        "wait for it with getAsyncEvent, or do without it");
            default ->
                new PointWords(
                        "other programs and devices may act between any two verbs of a program",
                        "let one program wait for what the other must have done, by a completion or by a message");
        };
    }

    private static PointWords ofAlternative(ChoicePoint point) {
        return switch (point) {
            case PLACEMENT_SPLIT -> ofOrder(ChoicePoint.PLACEMENT);
            case EVENT_MERGE, SPURIOUS_EVENT ->
                new PointWords(
                        "events of a completion queue may be merged, and one may come although there is no completion",
                        "after each event, poll until the queue is empty, and expect that it may be empty at once");
            case EARLY_LOCAL_INVALIDATE ->
                new PointWords(
                        "a LOCAL_INV without FENCE may take effect before earlier requests have completed",
                        "use a FENCE, or await the earlier requests first");
            case EARLY_LOCAL_CHECK, REFUSED_RECEIVE_KEPT, EXECUTED_FLUSHED ->
                new PointWords(
                        "requests that are under way when a queue pair fails complete as done or as flushed",
                        "treat a flushed request as one that may or may not have been executed");
            case COMMUNICATION_ESTABLISHED ->
                new PointWords("COMM_EST may never be raised", "take the first receive for it as well");
            case ACK_TIMER_SLOP, RNR_TIMER_SLOP ->
                new PointWords(
                        "timers may run up to four times their nominal time", "do not rely on how long retries take");
            case OBSERVE ->
                new PointWords(
                        "a GPU, or whoever loads from memory of a GPU, may see an older value until its view is refreshed",
                        "make the bytes visible before their reader is told: by a READ of the adapter that wrote them, a flush for"
                                + " the GPU, a launch behind either, or an acquire of system scope");
            case WRITEBACK ->
                new PointWords(
                        "an adapter may read what a word held before a store that has not left its writer",
                        "release the store by a fence of system scope, or wait for the end of the kernel, before the request is"
                                + " posted");
            case DURABLE ->
                new PointWords(
                        "power failure may take what is not durable, each word by itself, whatever was seen of it",
                        "await a FLUSH to persistence, or write the bytes back by the CPU, before anything relies on them");
            default ->
                new PointWords(
                        "keys and queue pair numbers may have any value",
                        "tell the peer the value that was given, and take no other for it");
        };
    }

    private static PointWords ofFault(ChoicePoint point) {
        return switch (point) {
            case DEVICE_SILENCE, DEVICE_CRASH ->
                new PointWords(
                        "a device may be gone from one moment to the next",
                        "expect RETRY_EXC_ERR and flushed requests, which may or may not have been executed");
            case LINK_CUT ->
                new PointWords(
                        "a link may be cut for a while",
                        "allow more or longer retries than the cut lasts, or connect again");
            default ->
                new PointWords(
                        "a link may lose, delay, repeat or overtake packets, and the requester sends them again, with the bytes that"
                                + " its source has then",
                        "leave source and destination of a request alone until it completes, and take a request without a completion"
                                + " for one that may have been executed, and may be executed once more");
        };
    }
}
