// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainRequest;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a responder remembers of READs and atomics: which of them is answered next. */
class ResponderResourcesTest {

    private static final int CAPACITY = 5;
    private static final int STEPS = 20_000;

    private final ResponderResources resources = new ResponderResources();
    private int psn;

    ResponderResourcesTest() {
        resources.resize(CAPACITY);
    }

    private ResponderResource take(boolean answered) {
        PlainRequest request = new PlainRequest();
        request.opcode = Opcode.FETCH_ADD;
        request.psn = psn++;
        ResponderResource resource = resources.free();
        resource.atomic(request, 0);
        if (answered) {
            resources.takeAnswered();
            resource.sent(1);
        } else {
            resources.take();
        }
        return resource;
    }

    @Test
    void answersAreGivenInTheOrderOfRequests() {
        Random random = new Random(1);
        ArrayDeque<ResponderResource> waiting = new ArrayDeque<>();
        for (int step = 0; step < STEPS; step++) {
            if (waiting.isEmpty() && random.nextInt(4) == 0) {
                take(true);
            } else if (waiting.size() < CAPACITY && random.nextBoolean()) {
                waiting.add(take(false));
            } else if (!waiting.isEmpty()) {
                waiting.remove().sent(1);
            }
            assertThat(resources.oldestPending()).isSameAs(waiting.peek());
            assertThat(resources.pending()).containsExactlyElementsOf(waiting);
        }
    }

    @Test
    void olderAnswerThatIsAskedForAgainIsGivenFirst() {
        ResponderResource first = take(false);
        first.sent(1);
        assertThat(resources.oldestPending()).isNull();
        ResponderResource second = take(false);
        Packet again = new Packet();
        again.begin(Opcode.FETCH_ADD);
        assertThat(resources.find(0)).isSameAs(first);
        first.answerAgain(again, 1024);
        assertThat(resources.oldestPending()).isSameAs(first);
        first.sent(1);
        assertThat(resources.oldestPending()).isSameAs(second);
    }

    @Test
    void answersThatAreLeftAreNotGiven() {
        take(false);
        resources.leavePending();
        assertThat(resources.oldestPending()).isNull();
        ResponderResource later = take(false);
        assertThat(resources.oldestPending()).isSameAs(later);
    }
}
