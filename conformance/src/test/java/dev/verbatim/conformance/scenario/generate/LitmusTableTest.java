// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.Oracle;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.testing.Tries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which outcomes of the published shapes are permitted: what docs/litmus.md has as tables. */
class LitmusTableTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "litmus.md");
    private static final String BEGIN = "<!-- shapes: written by LitmusTableTest -->";
    private static final String END = "<!-- end of shapes -->";
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Every so many rows are computed, and every so many tests of all are explored. */
    private static final int EVERY_ROW = Tries.of("litmus.shapes.rows.every", 17, 1, 1);

    private static final int EVERY_TEST = Tries.of("litmus.shapes.tests.every", 149, 7, 1);

    /** What is in one column of a table. */
    private record Column(String title, Between between, boolean severalQps) {}

    private static final List<Column> OF_REQUESTS = List.of(
            new Column("nothing between", Between.NOTHING, false),
            new Column("poll", Between.parse("poll"), false),
            new Column("fence", Between.parse("fence"), false),
            new Column("several queue pairs", Between.NOTHING, true),
            new Column("several, and poll", Between.parse("poll"), true));

    private static final List<Column> OF_LOADS = List.of(
            new Column("nothing between", Between.NOTHING, false),
            new Column("poll", Between.parse("poll"), false),
            new Column("flush", Between.parse("flush"), false),
            new Column("flush and poll", Between.parse("flush-poll"), false));

    /** Six requests of three programs take minutes. */
    private static boolean isSmall(Shape shape, Access write, Access read) {
        return shape != Shape.ISA2 || !(write.isPosted() && read.isPosted());
    }

    /** The test with the same between all accesses, where that is possible; null if there is none. */
    private static @Nullable LitmusTest test(Shape shape, Access write, Access read, Column column) {
        Cycle cycle = shape.cycle();
        List<Access> accesses =
                cycle.steps().stream().map(step -> step.writes() ? write : read).toList();
        List<Between> betweens = new ArrayList<>();
        for (int i = 0; i < accesses.size(); i++) {
            boolean fits = !LitmusTest.isLastOfProgram(cycle, i)
                    && column.between()
                            .whyNot(
                                    accesses.get(i),
                                    cycle.steps().get(i).writes(),
                                    accesses.get((i + 1) % accesses.size()))
                            .isEmpty();
            betweens.add(fits ? column.between() : Between.NOTHING);
        }
        return LitmusTest.whyNot(cycle, accesses, betweens).isEmpty()
                ? new LitmusTest(shape.toString(), cycle, accesses, betweens, column.severalQps())
                : null;
    }

    private record Row(Shape shape, Access write, Access read, List<Column> columns) {

        boolean exists() {
            return isSmall(shape, write, read) && test(shape, write, read, columns.get(0)) != null;
        }

        String head() {
            return "| " + shape + " | " + (write == read ? write : write + ", " + read) + " | ";
        }

        String text() {
            return head() + columns.stream().map(this::cell).collect(Collectors.joining(" | ")) + " |";
        }

        GeneratedTest explored(Column column) {
            LitmusTest test = test(shape, write, read, column);
            return GeneratedTest.of(Objects.requireNonNull(test), System::nanoTime, PATIENCE_NANOS);
        }

        private String cell(Column column) {
            GeneratedTest explored = explored(column);
            return explored.isPermitted() ? "permitted" : String.join(", ", explored.rules());
        }
    }

    private static List<Row> table(List<Column> columns, Access... writesAndReads) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < writesAndReads.length; i += 2) {
            for (Shape shape : Shape.values()) {
                Row row = new Row(shape, writesAndReads[i], writesAndReads[i + 1], columns);
                if (row.exists()) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static List<Row> ofRequests() {
        return table(OF_REQUESTS, Access.PUT, Access.GET, Access.RMW, Access.RMW, Access.STORE, Access.GET);
    }

    private static List<Row> ofLoads() {
        return table(OF_LOADS, Access.PUT, Access.LOAD).stream()
                .filter(row -> row.shape().cycle().steps().stream().anyMatch(step -> !step.writes()))
                .toList();
    }

    private static List<Row> all() {
        List<Row> all = new ArrayList<>(ofRequests());
        all.addAll(ofLoads());
        return all;
    }

    @Test
    void conditionIsForbiddenByTheRulesOfTheTable() throws IOException {
        if (Boolean.getBoolean("verbatim.update")) {
            write();
        }
        String text = Files.readString(DOCUMENT);
        List<String> written = text.substring(text.indexOf(BEGIN), text.indexOf(END))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| shape"))
                .toList();
        List<Row> rows = all();
        assertThat(written).hasSameSizeAs(rows);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(written.get(i)).startsWith(rows.get(i).head());
            if (i % EVERY_ROW == 0) {
                assertThat(rows.get(i).text()).isEqualTo(written.get(i));
            }
        }
    }

    /** Exploring one fails where the device and the rules differ. */
    @Test
    void deviceAndOrderingModelAgree() {
        List<Between> betweens = List.of(Between.NOTHING, Between.parse("poll"), Between.parse("fence"));
        int number = 0;
        for (Shape shape : Shape.values()) {
            if (shape.cycle().steps().size() > 4) {
                continue;
            }
            for (boolean severalQps : new boolean[] {false, true}) {
                for (LitmusTest test :
                        TestVariants.of(shape.toString(), List.of(Access.values()), betweens, severalQps)) {
                    if (number++ % EVERY_TEST == 0) {
                        assertThat(GeneratedTest.of(test, System::nanoTime, PATIENCE_NANOS)
                                        .outcomes())
                                .as(test.name())
                                .isNotEmpty();
                    }
                }
            }
        }
    }

    /** A run of each outcome, as its trace alone tells it; and the file says what it has. */
    @Test
    void oraclePermitsARunOfEachOutcome() {
        List<Row> rows = all();
        for (int i = EVERY_ROW / 2; i < rows.size(); i += EVERY_ROW) {
            Row row = rows.get(i);
            GeneratedTest explored = row.explored(row.columns().get(0));
            Scenario scenario =
                    ScenarioReader.read(explored.test().name(), explored.yaml()).scenario();
            ScenarioExploration exploration = new ScenarioExploration(scenario, null);
            ExplorationResult found = exploration.explore(whole -> whole);
            assertThat(found.isGood()).as(explored.yaml()).isTrue();
            assertThat(found.missing()).isEmpty();
            for (ExplorationResult.Ending ending : found.endings()) {
                Oracle oracle = Oracle.ofDevicesAndPrograms();
                exploration.replay(ending.example(), oracle, ScenarioRun.RunObserver.NONE);
                oracle.verdictAtEnd().check();
            }
        }
    }

    private static void write() throws IOException {
        String text = Files.readString(DOCUMENT);
        Files.writeString(
                DOCUMENT,
                text.substring(0, text.indexOf(BEGIN) + BEGIN.length()) + "\n\n" + lines(OF_REQUESTS, ofRequests())
                        + "\n\nWhere CPUs load what others put:\n\n" + lines(OF_LOADS, ofLoads()) + "\n\n"
                        + text.substring(text.indexOf(END)));
    }

    private static String lines(List<Column> columns, List<Row> rows) {
        List<String> lines = new ArrayList<>();
        lines.add("| shape | accesses | " + columns.stream().map(Column::title).collect(Collectors.joining(" | "))
                + " |");
        lines.add("|---|---|" + "---|".repeat(columns.size()));
        rows.forEach(row -> lines.add(row.text()));
        return String.join("\n", lines);
    }
}
