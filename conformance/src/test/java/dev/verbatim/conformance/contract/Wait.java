// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What can be waited for with a patience. */
enum Wait {
    COMPLETION("`CompletionQueue.awaitCompletion`") {
        @Override
        Case at(WaitPlace place) {
            CompletionQueue cq = place.near().createCq(1);
            return new Case(cq::awaitCompletion, cq::close);
        }
    },
    COMPLETION_EVENT("`CompletionChannel.getEvent`") {
        @Override
        Case at(WaitPlace place) {
            CompletionChannel channel = place.near().createCompletionChannel();
            return new Case(channel::getEvent, channel::close);
        }
    },
    ASYNC_EVENT("`Device.getAsyncEvent`") {
        @Override
        Case at(WaitPlace place) {
            Device device = place.near();
            return new Case(device::getAsyncEvent, null);
        }
    },
    CONNECTION_EVENT("`EventChannel.getEvent`") {
        @Override
        Case at(WaitPlace place) {
            EventChannel channel = EventChannel.open(place.near());
            return new Case(channel::getEvent, channel::close);
        }
    },
    REQUEST("`ListeningEndpoint.getRequest`") {
        @Override
        Case at(WaitPlace place) {
            ListeningEndpoint listener = Endpoint.listen(place.near(), WaitPlace.address(place.near(), PORT), 0);
            return new Case(listener::getRequest, listener::close);
        }
    },
    DISCONNECTION("`Endpoint.awaitDisconnected`") {
        @Override
        Case at(WaitPlace place) {
            AtomicReference<Endpoint> ours = new AtomicReference<>();
            AtomicReference<Endpoint> theirs = new AtomicReference<>();
            ListeningEndpoint listener = Endpoint.listen(place.far(), WaitPlace.address(place.far(), PORT), 0);
            ProtectionDomain pd = place.far().allocatePd();
            place.together(
                    () -> theirs.set(listener.getRequest(GENEROUS)
                            .accept(pd, attributes(place.far()), ConnectionParameters.USUAL, GENEROUS)),
                    () -> ours.set(connect(place, GENEROUS)));
            return new Case(ours.get()::awaitDisconnected, ours.get()::close, theirs.get()::close);
        }
    },
    CONNECTION("`Endpoint.connect`, `ConnectionRequest.accept`") {
        @Override
        Case at(WaitPlace place) {
            // Nobody takes the request.
            Endpoint.listen(place.far(), WaitPlace.address(place.far(), PORT), 0);
            return new Case(patience -> connect(place, patience), null);
        }
    };

    /** Longer than any test: a wait that ends only with its patience fails. */
    static final Duration GENEROUS = Duration.ofHours(1);

    private static final int PORT = 7900;

    private final String words;

    Wait(String words) {
        this.words = words;
    }

    /** Its methods, as the table of docs has them. */
    String words() {
        return words;
    }

    /** A wait, how to close what it is at, and how its peer ends what it is about. */
    record Case(Waiting waiting, @Nullable Runnable close, Runnable peerEnds) {

        Case(Waiting waiting, @Nullable Runnable close) {
            this(waiting, close, () -> {});
        }

        Runnable within(Duration patience) {
            return () -> waiting.await(patience);
        }
    }

    /** The waiting itself. */
    @FunctionalInterface
    interface Waiting {
        void await(Duration patience);
    }

    /** Prepares the wait, for which there is nothing yet. */
    abstract Case at(WaitPlace place);

    private static QpInitAttributes attributes(Device device) {
        return QpInitAttributes.rc(device.createCq(1));
    }

    private static Endpoint connect(WaitPlace place, Duration patience) {
        return Endpoint.connect(
                place.near(),
                WaitPlace.address(place.far(), PORT),
                place.near().allocatePd(),
                attributes(place.near()),
                ConnectionParameters.USUAL,
                patience);
    }
}
