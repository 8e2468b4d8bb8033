// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.transport.netty.NettyOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A program can name today all that the baseline exported, except what {@code exported-changes.txt} lists. */
@Tag("smoke")
class ExportedTypesTest {

    private static final Pattern CHANGE = Pattern.compile("(type|member|removed) (.+?) -> (.+)");

    private static final List<Path> MODULES = Stream.of(
                    Verbatim.class, SimulatedTest.class, NdAdapter.class, NettyOptions.class)
            .map(ExportedTypesTest::placeOf)
            .collect(Collectors.toList());

    private final Map<String, String> renamed = new TreeMap<>();
    private final Set<String> replaced = new TreeSet<>();
    private final Set<String> removed = new TreeSet<>();

    @Test
    void whatWasExportedIsExported() throws IOException {
        readChanges();
        Set<String> today = ExportedApi.lines(MODULES);
        Set<String> missing = new TreeSet<>();
        for (String line : lines("exported-baseline.txt")) {
            boolean isOfRemoved =
                    removed.stream().anyMatch(type -> line.matches(".*\\b" + Pattern.quote(type) + "\\b.*"));
            if (!isOfRemoved && !today.contains(withNewNames(line))) {
                missing.add(line);
            }
        }
        assertThat(missing)
                .as("gone without a line in exported-changes.txt, or in it although it is there")
                .isEqualTo(replaced);
    }

    @Test
    void renamedTypesHaveTheirNewNameAndRemovedOnesNone() throws IOException {
        readChanges();
        Set<String> types = new TreeSet<>();
        for (String line : ExportedApi.lines(MODULES)) {
            types.addAll(List.of(line.split("[ <>(),]")));
        }
        for (Map.Entry<String, String> rename : renamed.entrySet()) {
            assertThat(types).contains(rename.getValue()).doesNotContain(rename.getKey());
        }
        assertThat(types).doesNotContainAnyElementsOf(removed);
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private void readChanges() throws IOException {
        for (String line : lines("exported-changes.txt")) {
            Matcher change = CHANGE.matcher(line);
            assertThat(change.matches()).as(line).isTrue();
            if (change.group(1).equals("type")) {
                renamed.put(change.group(2), change.group(3));
            } else if (change.group(1).equals("member")) {
                replaced.add(change.group(2));
            } else {
                removed.add(change.group(2));
            }
        }
    }

    private String withNewNames(String line) {
        String told = line;
        for (Map.Entry<String, String> rename : renamed.entrySet()) {
            told = told.replaceAll(
                    Pattern.quote(rename.getKey()) + "(?!\\w)", Matcher.quoteReplacement(rename.getValue()));
        }
        return told;
    }

    private static Set<String> lines(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ExportedTypesTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }
    }
}
