// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoorbellQueueTest {
    private final List<String> answered = new ArrayList<>();
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final Doorbell a = named("a");
    private final Doorbell b = named("b");
    private final Doorbell c = named("c");

    @Test
    void emptyQueueAnswersNothing() {
        assertThat(doorbells.isEmpty()).isTrue();
        assertThat(doorbells.answerAll()).isFalse();
    }

    @Test
    void doorbellsAreAnsweredInTheOrderOfRinging() {
        doorbells.ring(b);
        doorbells.ring(a);
        doorbells.ring(c);
        assertThat(doorbells.isEmpty()).isFalse();
        assertThat(doorbells.answerAll()).isTrue();
        assertThat(doorbells.isEmpty()).isTrue();
        assertThat(answered).containsExactly("b", "a", "c");
    }

    @Test
    void doorbellRungTwiceIsAnsweredOnceAtItsFirstPlace() {
        doorbells.ring(a);
        doorbells.ring(b);
        doorbells.ring(a);
        doorbells.answerAll();
        assertThat(answered).containsExactly("a", "b");
        assertThat(doorbells.answerAll()).isFalse();
    }

    @Test
    void doorbellRungAfterItsAnswerIsAnsweredAgain() {
        doorbells.ring(a);
        doorbells.answerAll();
        doorbells.ring(a);
        assertThat(doorbells.answerAll()).isTrue();
        assertThat(answered).containsExactly("a", "a");
    }

    @Test
    void doorbellRungByAnAnswerWaitsForTheNextCall() {
        Doorbell ringer = new Doorbell() {
            @Override
            protected void answer() {
                answered.add("ringer");
                doorbells.ring(this);
                doorbells.ring(b);
            }
        };
        doorbells.ring(ringer);
        doorbells.answerAll();
        assertThat(answered).containsExactly("ringer");
        doorbells.answerAll();
        assertThat(answered).containsExactly("ringer", "ringer", "b");
    }

    @Test
    void doorbellsBehindOneThatFailedAreAnsweredAtTheNextCall() {
        Doorbell failing = new Doorbell() {
            @Override
            protected void answer() {
                throw new IllegalStateException("a doorbell's own failure");
            }
        };
        doorbells.ring(a);
        doorbells.ring(failing);
        doorbells.ring(b);
        doorbells.ring(c);
        assertThatIllegalStateException().isThrownBy(doorbells::answerAll);
        assertThat(doorbells.isEmpty()).isFalse();
        doorbells.ring(b);
        doorbells.answerAll();
        assertThat(answered).containsExactly("a", "b", "c");
        assertThat(doorbells.isEmpty()).isTrue();
    }

    private Doorbell named(String name) {
        return new Doorbell() {
            @Override
            protected void answer() {
                answered.add(name);
            }
        };
    }
}
