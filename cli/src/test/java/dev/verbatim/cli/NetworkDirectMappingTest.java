// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/networkdirect.md says, and of its tests docs/internals/networkdirect.md. */
class NetworkDirectMappingTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "networkdirect.md");
    private static final Path TESTS = Path.of("..", "docs", "internals", "networkdirect.md");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern TEST = Pattern.compile("`(Nd\\w+)#(\\w+)`");

    /** Names of others that the page uses without saying whose. */
    private static final Set<String> NOT_TYPES_OF_OURS = Set.of("NetworkDirectMappingTest", "NdCheckAddress");

    @Test
    void eachPublicMethodIsOnThePage() throws Exception {
        String page = Files.readString(DOCUMENT);
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : PublicTypes.beside(NdStatus.class)) {
            for (Method method : type.getDeclaredMethods()) {
                String name = type.getSimpleName() + "." + method.getName();
                // Of a record whose fields are those of a structure the record is enough.
                // What returns a changed copy is told with the component that it changes.
                String component = method.getName().matches("with[A-Z].*")
                        ? method.getName().substring(4, 5).toLowerCase(Locale.ROOT)
                                + method.getName().substring(5)
                        : method.getName();
                boolean isTold = page.contains("`" + name + "`")
                        || page.contains("`" + type.getSimpleName() + "." + component + "`")
                        || (type.isRecord()
                                && type != NdProfile.class
                                && page.contains("`" + type.getSimpleName() + "`"));
                if (PublicTypes.isToBeTold(method) && !isTold) {
                    missing.add(name);
                }
            }
        }
        assertThat(missing)
                .as("methods that docs/networkdirect.md does not name")
                .isEmpty();
    }

    @Test
    void eachNameOnThePageExists() throws Exception {
        for (MatchResult name :
                NAME.matcher(Files.readString(DOCUMENT)).results().toList()) {
            Class<?> ours = PublicTypes.named(name.group(1), NdStatus.class);
            Class<?> type = ours == null ? PublicTypes.named(name.group(1), Device.class) : ours;
            if (type != null && name.group(2) != null) {
                assertThat(PublicTypes.membersOf(type)).as(name.group()).contains(name.group(2));
            } else if (name.group(1).startsWith("Nd")) {
                assertThat(type != null || NOT_TYPES_OF_OURS.contains(name.group(1)))
                        .as(name.group())
                        .isTrue();
            }
        }
    }

    /** Tests are of two other modules, and cannot be loaded here. */
    @Test
    void eachTestOnThePageExists() throws IOException {
        List<MatchResult> tests =
                TEST.matcher(Files.readString(TESTS)).results().toList();
        assertThat(tests).hasSizeGreaterThan(60);
        for (MatchResult test : tests) {
            String source = Stream.of(
                            Path.of("../conformance/src/test/java/dev/verbatim/conformance/contract"),
                            Path.of("../bindings/networkdirect/src/test/java/dev/verbatim/networkdirect"))
                    .map(folder -> folder.resolve(test.group(1) + ".java"))
                    .filter(Files::exists)
                    .map(NetworkDirectMappingTest::read)
                    .collect(Collectors.joining());
            assertThat(source).as(test.group()).contains(" void " + test.group(2) + "(");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachScenarioHasItsTest() throws IOException {
        String page = Files.readString(TESTS);
        for (Map.Entry<String, Integer> kind :
                Map.of("MW", 15, "CQ", 4, "CM", 5, "SRQ", 2).entrySet()) {
            for (int i = 1; i <= kind.getValue(); i++) {
                assertThat(page).containsPattern("\\| " + kind.getKey() + "-" + i + " [^|]+\\| `Nd\\w+#");
            }
        }
    }
}
