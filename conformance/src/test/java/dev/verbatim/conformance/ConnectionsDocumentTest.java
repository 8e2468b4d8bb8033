// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/connections.md says is what dev.verbatim.cm has. */
class ConnectionsDocumentTest {

    private static final Path SOURCES = Path.of("..", "emulator-core", "src", "main", "java", "dev", "verbatim", "cm");

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "connections.md"));
    }

    private static Set<String> rulesIn(String text, String pattern) {
        Set<String> rules = new TreeSet<>();
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        while (matcher.find()) {
            rules.add(matcher.group(1));
        }
        return rules;
    }

    @Test
    void eachRuleThatTheCodeNamesHasItsRow() throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                code.append(Files.readString(file));
            }
        }
        Set<String> named = rulesIn(code.toString().replace("Rule.CM_", "CM-"), "(CM-[0-9]{2})");
        assertThat(named).isNotEmpty();
        assertThat(rulesIn(page(), "(?m)^\\| (CM-[0-9]{2}) \\|")).containsAll(named);
    }

    @Test
    void rulesOfThePageAreThoseOfTheCatalogue() throws IOException {
        Set<String> catalogued = Rule.catalogue().stream()
                .map(Rule::id)
                .filter(id -> id.startsWith("CM-"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rulesIn(page(), "(?m)^\\| (CM-[0-9]{2}) \\|")).isEqualTo(catalogued);
    }

    @Test
    void eachEventHasItsRow() throws IOException {
        for (CmEventType type : CmEventType.values()) {
            assertThat(page()).contains("| " + type.number() + " | `" + type + "` |");
        }
    }

    @Test
    void reasonsAndOptionsHaveTheirNumbers() throws IOException {
        Matcher reasons = Pattern.compile("`([A-Z_]+)` ([0-9]+), ").matcher(page());
        int found = 0;
        while (reasons.find()) {
            RejectReason reason = RejectReason.of(Integer.parseInt(reasons.group(2)));
            assertThat(reason).isNotNull().hasToString(reasons.group(1));
            found++;
        }
        assertThat(found).isGreaterThanOrEqualTo(4);
        for (RecordComponent option : CmOptions.class.getRecordComponents()) {
            assertThat(page()).contains("`" + option.getName() + "` " + value(option));
        }
    }

    private static Object value(RecordComponent option) {
        try {
            return option.getAccessor().invoke(CmOptions.USUAL);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatThePageNamesExists() throws IOException {
        Matcher names = Pattern.compile("`(\\w+)\\.(\\w+)`").matcher(page());
        List<Class<?>> types = List.of(
                CmEvent.class,
                CmId.class,
                EventChannel.class,
                Endpoint.class,
                ListeningEndpoint.class,
                ConnectionRequest.class);
        int checked = 0;
        while (names.find()) {
            for (Class<?> type : types) {
                if (type.getSimpleName().equals(names.group(1))) {
                    assertThat(Stream.of(type.getMethods()).map(Method::getName))
                            .contains(names.group(2));
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(20);
    }
}
