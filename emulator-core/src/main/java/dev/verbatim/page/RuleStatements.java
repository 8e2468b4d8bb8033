// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What rules say, by id, for pages that name them: from the table of all rules, which is beside this class. */
final class RuleStatements {

    private static final String RESOURCE = "rules.tsv";
    private static final int STATEMENT = 3;

    private RuleStatements() {}

    /** The statements of all rules. */
    static Map<String, String> load() {
        try (InputStream stream = RuleStatements.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "resource=" + RESOURCE + " is missing; build the module with its resources");
            }
            Map<String, String> statements = new HashMap<>();
            BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            reader.lines().skip(1).map(line -> line.split("\t", -1)).forEach(columns -> {
                if (columns.length > STATEMENT) {
                    statements.put(columns[0], columns[STATEMENT]);
                }
            });
            return statements;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
