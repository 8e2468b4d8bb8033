// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Every rule the device is held against, in the order of the rule file.
 *
 * <p>The file has a header line and then one line a rule: id, section, scope, statement and perhaps basis, separated by tabs. A file that
 * breaks this is refused as a whole, since a rule that is silently missing would count as kept.
 */
public final class RuleCatalogue {
    /** Longest statement, so that a rule fits on one line of a report. */
    static final int MAX_STATEMENT_CHARS = 160;

    private static final String RESOURCE = "/dev/verbatim/page/rules.tsv";
    private static final String HEADER = "id\tsection\tscope\tstatement\tbasis";
    private static final int COLUMNS = 4;

    /** How certain a rule is, and where it is from. */
    private static final Pattern BASIS = Pattern.compile("(stated|asserted|measured|inferred): .+");

    private static final Pattern ID = Pattern.compile("[A-Z]+[0-9]*(-P?[0-9]+)?");
    private static final Pattern SECTION = Pattern.compile("[A-Z](\\.[0-9]+)?");

    private final Map<String, RuleEntry> byId;

    private RuleCatalogue(Map<String, RuleEntry> byId) {
        this.byId = byId;
    }

    /**
     * Reads the catalogue that is shipped with the device, whose pages quote it.
     *
     * @throws IllegalArgumentException if a line is malformed; the message names the line and the remedy
     * @throws UncheckedIOException if the file cannot be read or is not UTF-8
     */
    public static RuleCatalogue load() {
        try (InputStream bytes = RuleCatalogue.class.getResourceAsStream(RESOURCE)) {
            if (bytes == null) {
                throw new IllegalStateException(
                        "resource=" + RESOURCE + " is not on the class path; build emulator-core with its resources");
            }
            // A fresh decoder reports malformed bytes, where the charset itself would quietly replace them.
            var reader = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()));
            return parse(reader.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a catalogue from the lines of a rule file, header first.
     *
     * @throws IllegalArgumentException if a line is malformed; the message names the line and the remedy
     */
    static RuleCatalogue parse(List<String> lines) {
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw refusal(1, "header is missing", "begin with id, section, scope, statement, basis, separated by tabs");
        }
        var byId = new LinkedHashMap<String, RuleEntry>();
        for (int index = 1; index < lines.size(); index++) {
            int line = index + 1;
            RuleEntry entry = entry(line, lines.get(index));
            if (byId.putIfAbsent(entry.id(), entry) != null) {
                throw refusal(line, "id=" + entry.id() + " is already defined above", "give each rule one line");
            }
        }
        return new RuleCatalogue(byId);
    }

    private static RuleEntry entry(int line, String text) {
        String[] columns = text.split("\t", -1);
        if (columns.length != COLUMNS && columns.length != COLUMNS + 1) {
            throw refusal(
                    line,
                    "columns=" + columns.length + " is neither " + COLUMNS + " nor " + (COLUMNS + 1),
                    "separate id, section, scope, statement and, if there is one, basis by one tab each");
        }
        String id = columns[0];
        if (!ID.matcher(id).matches()) {
            throw refusal(line, "id=" + id + " is not a rule id", "write it like MW-32, KEY-P1 or N7");
        }
        String section = columns[1];
        if (!SECTION.matcher(section).matches()) {
            throw refusal(line, "section=" + section + " is not a section", "write it like B.3 or C");
        }
        Scope scope = Scope.of(columns[2])
                .orElseThrow(() -> refusal(line, "scope=" + columns[2] + " is unknown", "use one of " + Scope.words()));
        String statement = columns[3];
        if (statement.isBlank()) {
            throw refusal(line, "statement of id=" + id + " is blank", "say in one sentence what happens");
        }
        if (statement.length() > MAX_STATEMENT_CHARS) {
            throw refusal(
                    line,
                    "statement chars=" + statement.length() + " > " + MAX_STATEMENT_CHARS,
                    "shorten it to one line of a report");
        }
        String basis = columns.length > COLUMNS ? columns[COLUMNS] : "";
        if (columns.length > COLUMNS && !BASIS.matcher(basis).matches()) {
            throw refusal(
                    line,
                    "basis=" + basis + " of id=" + id + " is none",
                    "begin with stated, asserted, measured or inferred, a colon and the source");
        }
        return new RuleEntry(id, section, scope, statement, basis);
    }

    private static IllegalArgumentException refusal(int line, String violation, String remedy) {
        return new IllegalArgumentException("rules.tsv line=" + line + ": " + violation + "; " + remedy);
    }

    /** All rules in the order of the file, unmodifiable. */
    public List<RuleEntry> entries() {
        return List.copyOf(byId.values());
    }

    /** The ids of all rules in the order of the file. */
    public Set<String> ids() {
        return Collections.unmodifiableSet(byId.keySet());
    }

    /** The rule called {@code id}, in exactly that spelling. */
    public Optional<RuleEntry> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }
}
