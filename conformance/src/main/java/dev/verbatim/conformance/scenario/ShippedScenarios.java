// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The scenarios that come with the program, by the names of their files without ending, such as {@code LT-01}. */
public final class ShippedScenarios {

    private static final String ROOT = "scenarios";
    private static final String ENDING = ".yaml";

    /** By name, whatever the case of its letters. */
    private static final Map<String, String> TEXTS = read();

    private ShippedScenarios() {}

    /** The names of all. */
    public static Collection<String> names() {
        return TEXTS.keySet();
    }

    /** The scenario of that name, upper or lower case; null if there is none. */
    public static @Nullable ScenarioFile find(String name) {
        for (Map.Entry<String, String> each : TEXTS.entrySet()) {
            if (each.getKey().equalsIgnoreCase(name)) {
                return ScenarioReader.read(each.getKey() + ENDING, each.getValue());
            }
        }
        return null;
    }

    /** The text of the scenario of that name; null if there is none. */
    public static @Nullable String text(String name) {
        return TEXTS.get(name);
    }

    private static Map<String, String> read() {
        // Found by this class, as a jar need not have entries for directories.
        URL here = Objects.requireNonNull(ShippedScenarios.class.getResource("ShippedScenarios.class"));
        try {
            URI place = here.toURI();
            if (!place.getScheme().equals("jar")) {
                int depth = Path.of(ShippedScenarios.class.getName().replace('.', '/'))
                        .getNameCount();
                Path classes = Path.of(place);
                for (int i = 0; i < depth; i++) {
                    classes = Objects.requireNonNull(classes.getParent());
                }
                return read(classes.resolve(ROOT));
            }
            try (FileSystem jar = FileSystems.newFileSystem(place, Map.of())) {
                return read(jar.getPath("/", ROOT));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(here + " is no place that can be read", e);
        }
    }

    private static Map<String, String> read(Path root) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.endsWith(ENDING)) {
                    texts.put(name.substring(0, name.length() - ENDING.length()), Files.readString(file));
                }
            }
        }
        return Collections.unmodifiableMap(texts);
    }
}
