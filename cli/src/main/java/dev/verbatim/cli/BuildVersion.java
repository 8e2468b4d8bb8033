// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version the build wrote down, and the Java it runs on. */
final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"verbatim " + version(), "Java " + Runtime.version()};
    }

    static String version() {
        Properties build = new Properties();
        try (InputStream file = BuildVersion.class.getResourceAsStream("build.properties")) {
            build.load(Objects.requireNonNull(file, "build.properties is missing from the class path: rebuild"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("version");
    }
}
