// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes for the launchers which commands need options of the JVM: a row for each, of words with a blank between. They are the name of the
 * command, or {@value #NONE} for a call without one; an option of it and a number; an option of the JVM if the value of the former is at
 * most that number or is not given; and options of the JVM in any case. The build keeps the rows beside the jars, in a file
 * {@code commands}.
 */
public final class JvmOptions {

    /** Stands for no command, and for no option. */
    static final String NONE = "-";

    private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";
    private static final String ONE_COLLECTOR = "-XX:+UseSerialGC";

    private JvmOptions() {}

    /** Prints the rows. */
    public static void main(String... arguments) {
        rows().forEach(System.out::println);
    }

    /** Those of all commands that have such options. */
    static List<String> rows() {
        return Stream.concat(Stream.of(Map.entry(NONE, Main.class)), Main.commands().entrySet().stream())
                .map(entry -> row(entry.getKey(), entry.getValue().getAnnotation(QuickJvm.class)))
                .filter(row -> !row.isEmpty())
                .collect(Collectors.toList());
    }

    private static String row(String name, @Nullable QuickJvm quick) {
        return quick == null
                ? ""
                : String.join(" ", name, quick.option(), Integer.toString(quick.most()), ONE_COMPILER, ONE_COLLECTOR);
    }
}
