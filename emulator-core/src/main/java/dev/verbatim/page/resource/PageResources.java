// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.resource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The resources of a page.
 *
 * @param beside the class beside which they lie
 */
public record PageResources(Class<?> beside) {

    /** The files of a script, modules that import each other, as one module: in this order, without imports and exports. */
    public String script(List<String> names) {
        return names.stream().map(this::withoutImports).collect(Collectors.joining("\n"));
    }

    private String withoutImports(String name) {
        return read(name)
                .lines()
                .filter(line -> !line.startsWith("import "))
                .map(line -> line.startsWith("export ") ? line.substring("export ".length()) : line)
                .collect(Collectors.joining("\n"));
    }

    /**
     * A resource as text, with line feeds at its lines' ends.
     *
     * @throws IllegalStateException if it is missing or cannot be read
     */
    public String read(String name) {
        try (InputStream stream = beside.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "resource=" + name + " is missing; build the module with its resources");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException("resource=" + name + " cannot be read", e);
        }
    }

    /** Permits this script and this style, and nothing else: the beginning of a content security policy. */
    public static String policy(String script, String style) {
        return "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style) + "'";
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
