// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Dialogue.PEER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When a connected queue pair ends, programs have their buffers back, and its link must not touch them any more. */
class FreedMemoryTest {

    private enum End {
        ERR(qp -> qp.modify(new QpAttributes().state(QpState.ERR))),
        RESET(qp -> qp.modify(new QpAttributes().state(QpState.RESET))),
        DESTROY(QueuePair::close);

        private final Consumer<QueuePair> verb;

        End(Consumer<QueuePair> verb) {
            this.verb = verb;
        }
    }

    static Stream<Arguments> ends() {
        return Stream.of(QpType.RC, QpType.UC)
                .flatMap(type -> Stream.of(End.values()).map(end -> Arguments.of(type, end)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("ends")
    void theLinkIsToldAtOnce(QpType type, End end) {
        try (Dialogue it = type == QpType.RC ? Dialogue.begin() : Dialogue.overUc()) {
            int before = it.fabric.lettingsGo(PEER);
            end.verb.accept(it.side.qp);
            assertThat(it.fabric.lettingsGo(PEER)).isGreaterThan(before);
        }
    }
}
