// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.studio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** The studio's own page, in one piece: nothing but its script and its style is permitted, and only the studio is asked. */
record StudioPage(String html, String policy) {

    /** Each file uses only what stands before it. */
    static final List<String> SCRIPTS = List.of("text.mjs", "studio.mjs");

    static StudioPage load() {
        String script = SCRIPTS.stream().map(StudioPage::withoutImports).collect(Collectors.joining("\n"));
        String style = read("studio.css");
        String html = read("studio.html").replace("{{style}}", style).replace("{{script}}", script);
        return new StudioPage(
                html,
                "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style)
                        + "'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }

    private static String withoutImports(String name) {
        return read(name)
                .lines()
                .filter(line -> !line.startsWith("import "))
                .map(line -> line.startsWith("export ") ? line.substring("export ".length()) : line)
                .collect(Collectors.joining("\n"));
    }

    private static String read(String name) {
        try (InputStream stream = StudioPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "resource=" + name + " is missing; build the module with its resources");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException("resource=" + name + " cannot be read", e);
        }
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
