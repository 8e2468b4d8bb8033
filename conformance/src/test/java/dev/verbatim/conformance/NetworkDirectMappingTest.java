// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What docs/networkdirect.md says. */
class NetworkDirectMappingTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "networkdirect.md");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern TEST = Pattern.compile("`(Nd\\w+)#(\\w+)`");
    private static final Set<String> OF_EVERY_OBJECT =
            Set.of("toString", "equals", "hashCode", "compareTo", "values", "valueOf");

    /** Names of others that the page uses without saying whose. */
    private static final Set<String> NOT_TYPES_OF_OURS = Set.of("NetworkDirectMappingTest", "NdCheckAddress");

    private static Set<Class<?>> publicTypes() throws IOException, URISyntaxException {
        Path place = Path.of(NdStatus.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String folder = NdStatus.class.getPackageName().replace('.', '/');
        if (Files.isDirectory(place)) {
            return publicTypes(place.resolve(folder));
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return publicTypes(jar.getPath(folder));
        }
    }

    private static Set<Class<?>> publicTypes(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[A-Z]\\w*\\.class"))
                    .map(name -> typeOrNull(NdStatus.class, name.substring(0, name.indexOf('.'))))
                    .filter(type -> type != null && Modifier.isPublic(type.getModifiers()))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void eachPublicMethodIsOnThePage() throws Exception {
        String page = Files.readString(DOCUMENT);
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : publicTypes()) {
            for (Method method : type.getDeclaredMethods()) {
                String name = type.getSimpleName() + "." + method.getName();
                // Of a record whose fields are those of a structure the record is enough.
                boolean isTold = page.contains("`" + name + "`")
                        || (type.isRecord()
                                && type != NdProfile.class
                                && page.contains("`" + type.getSimpleName() + "`"));
                if (isToBeTold(method) && !isTold) {
                    missing.add(name);
                }
            }
        }
        assertThat(missing)
                .as("methods that docs/networkdirect.md does not name")
                .isEmpty();
    }

    private static boolean isToBeTold(Member member) {
        return Modifier.isPublic(member.getModifiers())
                && !member.isSynthetic()
                && !OF_EVERY_OBJECT.contains(member.getName());
    }

    @Test
    void eachNameOnThePageExists() throws Exception {
        for (MatchResult name :
                NAME.matcher(Files.readString(DOCUMENT)).results().toList()) {
            Class<?> ours = typeOrNull(NdStatus.class, name.group(1));
            Class<?> type = ours == null ? typeOrNull(Device.class, name.group(1)) : ours;
            if (type != null && name.group(2) != null) {
                assertThat(Stream.<Member>concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getFields()))
                                .map(Member::getName))
                        .as(name.group())
                        .contains(name.group(2));
            } else if (name.group(1).startsWith("Nd")) {
                assertThat(type != null || NOT_TYPES_OF_OURS.contains(name.group(1)))
                        .as(name.group())
                        .isTrue();
            }
        }
    }

    /** Tests are of two modules, and not all of them can be loaded here. */
    @Test
    void eachTestOnThePageExists() throws IOException {
        List<MatchResult> tests =
                TEST.matcher(Files.readString(DOCUMENT)).results().toList();
        assertThat(tests).hasSizeGreaterThan(60);
        for (MatchResult test : tests) {
            String source = Stream.of(
                            Path.of("src/test/java/dev/verbatim/conformance/contract"),
                            Path.of("../emulator-core/src/test/java/dev/verbatim/networkdirect"))
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
        String page = Files.readString(DOCUMENT);
        for (Map.Entry<String, Integer> kind :
                Map.of("MW", 15, "CQ", 4, "CM", 5, "SRQ", 2).entrySet()) {
            for (int i = 1; i <= kind.getValue(); i++) {
                assertThat(page).containsPattern("\\| " + kind.getKey() + "-" + i + " [^|]+\\| `Nd\\w+#");
            }
        }
    }

    private static @Nullable Class<?> typeOrNull(Class<?> neighbour, String name) {
        try {
            return Class.forName(neighbour.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
