// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One result is printed in the form that was asked for. */
class OutputTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private record SeenLine(int zebra, @Nullable String absent, List<Part> apple, Map<String, Long> counts)
            implements Result {
        @Override
        public void text(PrintWriter to) {
            to.println(zebra + " seen");
        }
    }

    private record Part(boolean isGood) {}

    private Output as(boolean json) {
        return new Output(new PrintWriter(out), new PrintWriter(err), json);
    }

    @Test
    void peopleGetTheText() {
        as(false).print(new SeenLine(3, null, List.of(), Map.of()));
        as(false).error("wrong\n  here");

        assertThat(out).hasToString("3 seen" + System.lineSeparator());
        assertThat(err).hasToString("verbatim: wrong here" + System.lineSeparator());
    }

    @Test
    void programsGetTheComponentsInTheirOrderAndTheNameOfTheRecordAsKind() {
        as(true).print(new SeenLine(3, null, List.of(new Part(true)), Map.of("READ", 4L)));
        as(true).print(List.of(new Part(false), new Written(() -> "{ }")), to -> to.println("text"));
        as(true).error("wrong\n  here");

        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"kind\":\"seen\",\"zebra\":3,\"apple\":[{\"isGood\":true}],\"counts\":{\"READ\":4}}",
                        "{\"isGood\":false}",
                        "{ }");
        assertThat(err.toString().lines()).containsExactly("{\"kind\":\"error\",\"text\":\"wrong here\"}");
    }

    @Test
    void whatIsForProgramsOnlyIsNoText() {
        Line line = new SeenLine(1, null, List.of(), Map.of());
        as(false).printForPrograms(line);
        as(true).printForPrograms(line);

        assertThat(out.toString().lines()).hasSize(1);
    }
}
