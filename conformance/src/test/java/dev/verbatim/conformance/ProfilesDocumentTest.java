// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What docs/profiles.md says of each switch is what the presets have. */
class ProfilesDocumentTest {

    private static final int RULE = 6;
    private static final int SOURCE = 7;
    private static final int COLUMNS = 8;

    /** What a profile has beside its switches: what it is called, how much there is of something, and its keys. */
    private static final Set<String> NO_SWITCH_BY_NAME = Set.of("isKeyOrderChosen", "qpNumbers");

    private static final Set<Class<?>> NO_SWITCHES = Set.of(
            String.class,
            DeviceLimits.class,
            WindowSwitches.class,
            CompletionSwitches.class,
            PostingSwitches.class,
            OptionalLong.class,
            DeviceProfile.Builder.class,
            WindowSwitches.Builder.class,
            CompletionSwitches.Builder.class,
            PostingSwitches.Builder.class);

    private static Map<String, List<String>> rows() throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "profiles.md"))) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            if (line.startsWith("| `") && cells.length == COLUMNS + 2) {
                rows.put(cells[1].replace("`", ""), Arrays.asList(cells).subList(1, cells.length - 1));
            }
        }
        return rows;
    }

    private static List<Method> switchesOf(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() == 0 && !NO_SWITCHES.contains(method.getReturnType()))
                .filter(method -> !NO_SWITCH_BY_NAME.contains(method.getName()))
                .toList();
    }

    private static List<String> values(Method getter) throws ReflectiveOperationException {
        List<String> values = new ArrayList<>();
        for (DeviceProfile preset : DeviceProfile.presets()) {
            String value = String.valueOf(getter.invoke(owner(preset, getter.getDeclaringClass())));
            values.add(values.isEmpty() || value.equals(values.get(0)) ? value : "**" + value + "**");
        }
        return values;
    }

    private static Object owner(DeviceProfile preset, Class<?> type) {
        if (type == DeviceProfile.class) {
            return preset;
        }
        if (type == PostingSwitches.class) {
            return preset.posting();
        }
        return type == WindowSwitches.class ? preset.windows() : preset.completions();
    }

    @Test
    void tablesHaveEachSwitchOfEachPreset() throws Exception {
        Map<String, List<String>> rows = rows();
        List<Method> switches = new ArrayList<>(switchesOf(DeviceProfile.class));
        switches.addAll(switchesOf(WindowSwitches.class));
        switches.addAll(switchesOf(CompletionSwitches.class));
        switches.addAll(switchesOf(PostingSwitches.class));
        assertThat(rows.keySet())
                .hasSizeGreaterThan(20)
                .containsExactlyInAnyOrderElementsOf(
                        switches.stream().map(Method::getName).toList());
        for (Method getter : switches) {
            assertThat(rows.get(getter.getName()).subList(1, RULE))
                    .as(getter.getName())
                    .isEqualTo(values(getter));
        }
    }

    @Test
    void headsOfTheTablesNameThePresets() throws IOException {
        String presets = String.join(
                " | ", DeviceProfile.presets().stream().map(DeviceProfile::name).toList());
        assertThat(Files.readAllLines(Path.of("..", "docs", "profiles.md")))
                .filteredOn(line -> line.startsWith("| switch |"))
                .hasSize(4)
                .allSatisfy(head -> assertThat(head).startsWith("| switch | " + presets + " | rule |"));
    }

    @Test
    void eachRowNamesARuleThatThereIsAndWhereADifferenceComesFrom() throws IOException {
        rows().forEach((name, row) -> {
            assertThat(Rule.find(row.get(RULE))).as(name).isPresent();
            if (row.toString().contains("**")) {
                assertThat(row.get(SOURCE)).as("source of %s", name).isNotEmpty();
            }
        });
    }
}
