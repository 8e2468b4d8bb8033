// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program of the corpus.
 *
 * @param group the directory that it is in, such as {@code gaspi}
 * @param name its file without the ending
 * @param text the scenario
 * @param label what its first lines declare: that it has a mistake, so at least two outcomes; or that it has none
 * @param rule what decides that
 * @param theirs what the benchmark says that the case is named after; null for a case of our own
 */
record MisuseCase(
        String group,
        String name,
        String text,
        Label label,
        String rule,
        @Nullable Label theirs) {

    private static final Path ROOT = Path.of("src/test/resources/dev/verbatim/conformance/misuse");
    private static final String ENDING = ".yaml";
    private static final Pattern DECLARED = Pattern.compile("(?m)^# label: (yes|no) by (\\S+)$");
    private static final Pattern THEIRS = Pattern.compile("^# GASPI [^:]+: (yes|no)$", Pattern.MULTILINE);

    /** All cases of a group, in the order of their names. */
    static List<MisuseCase> of(String group) {
        try (Stream<Path> files = Files.list(ROOT.resolve(group))) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .map(file -> read(group, file))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MisuseCase read(String group, Path file) {
        String name = file.getFileName().toString();
        try {
            return of(group, name.substring(0, name.length() - ENDING.length()), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MisuseCase of(String group, String name, String text) {
        Matcher declared = DECLARED.matcher(text);
        if (!declared.find()) {
            throw new IllegalStateException(group + "/" + name + " has no line \"# label: yes|no by RULE\"");
        }
        Matcher theirs = THEIRS.matcher(text);
        return new MisuseCase(
                group,
                name,
                text,
                Label.named(declared.group(1)),
                declared.group(2),
                theirs.find() && !name.endsWith("-twin") ? Label.named(theirs.group(1)) : null);
    }

    /** Read anew, since a run changes what it makes of it. */
    Scenario scenario() {
        return ScenarioReader.read(name + ENDING, text).scenario();
    }

    @Override
    public String toString() {
        return group + "/" + name;
    }
}
