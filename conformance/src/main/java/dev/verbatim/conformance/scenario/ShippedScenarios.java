// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The scenarios that come with the program, by the names of their files without ending, such as {@code LT-01}. */
public final class ShippedScenarios {

    private static final List<String> FOLDERS =
            List.of("/scenarios/litmus/", "/scenarios/traces/", "/scenarios/objects/");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+");

    private ShippedScenarios() {}

    /** The scenario of that name; null if there is none. */
    public static @Nullable ScenarioFile find(String name) {
        if (!NAME.matcher(name).matches()) {
            return null;
        }
        for (String folder : FOLDERS) {
            String resource = folder + name + ".yaml";
            try (InputStream bytes = ShippedScenarios.class.getResourceAsStream(resource)) {
                if (bytes != null) {
                    String yaml = new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
                    return ScenarioReader.read(name + ".yaml", yaml);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return null;
    }
}
