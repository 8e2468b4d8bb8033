// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Inputs that a fuzz test begins with, and that every build replays: in {@code src/test/resources}, in a folder of its class and
 * method. Those that are made by code are kept as the code makes them; {@code -Dverbatim.update=true} writes them anew.
 */
public final class Seeds {

    private Seeds() {}

    /** The seeds of these names are in the folder, and are these. */
    public static void assertKept(Class<?> fuzzTest, String method, Map<String, byte[]> seeds) throws IOException {
        Path folder = Path.of("src/test/resources", fuzzTest.getName().replace('.', '/') + "Inputs", method);
        for (Map.Entry<String, byte[]> seed : seeds.entrySet()) {
            Path file = folder.resolve(seed.getKey());
            if (Boolean.getBoolean("verbatim.update")) {
                Files.createDirectories(folder);
                Files.write(file, seed.getValue());
            }
            assertThat(file).as("run with -Dverbatim.update=true to write it").hasBinaryContent(seed.getValue());
        }
    }
}
