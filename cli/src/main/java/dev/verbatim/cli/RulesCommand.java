// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.rules.CheckRecord;
import dev.verbatim.conformance.rules.RuleText;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.Rule.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code rules}. */
@Command(
        name = "rules",
        description = {
            "Lists the rules of the device and, in the source tree, the tests that checked each rule in the last run of"
                    + " './mvnw verify'.",
            "With --json they are one array."
        })
@QuickJvm
final class RulesCommand implements Runnable {

    /** Reads a scope by its word. */
    static final class ScopeWord implements ITypeConverter<Scope> {
        @Override
        public Scope convert(String word) {
            return Scope.of(word)
                    .orElseThrow(() -> new TypeConversionException("'" + word + "' is not one of " + Scope.words()));
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "Print these rules in full, for example MR-22.")
    private List<String> ids = new ArrayList<>();

    @Option(names = "--missing", description = "List only rules that no test checks, grouped and counted.")
    private boolean missing;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            converter = ScopeWord.class,
            description = "List only rules of one scope: rc, window, choices, types, cm, networkdirect or out.")
    private @Nullable Scope scope;

    @Mixin
    private Output output;

    @Option(
            names = "--home",
            paramLabel = "DIR",
            defaultValue = "${sys:verbatim.home}",
            description =
                    "Project directory, which has the record of the tests. The launcher of the source tree sets it.")
    private @Nullable Path home;

    @Override
    public void run() {
        List<Rule> rules = selected();
        CheckRecord record = record();
        if (missing && record.isAbsent()) {
            throw new CommandFailure(record.doubt()
                    .orElse("--missing is for the source tree, where the tests are: run it"
                            + " there after ./mvnw verify, or name the tree by --home"));
        }
        record.doubt().ifPresent(output::warning);
        output.print(List.of(objects(rules, record)), out -> {
            RuleText text = new RuleText(out, record);
            if (missing) {
                text.missing(rules);
            } else if (ids.isEmpty()) {
                text.list(rules);
            } else {
                text.full(rules);
            }
        });
    }

    /** The rules that are asked about; what is never emulated cannot be missing. */
    private List<Rule> selected() {
        List<Rule> asked =
                ids.isEmpty() ? Rule.catalogue() : ids.stream().map(this::named).toList();
        return asked.stream()
                .filter(rule -> scope == null || rule.scope() == scope)
                .filter(rule -> !missing || rule.scope() != Scope.OUT)
                .toList();
    }

    private Rule named(String id) {
        return Rule.catalogue().stream()
                .filter(rule -> rule.id().equalsIgnoreCase(id))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "Unknown rule " + id + "; "
                                + NearestWord.advice(
                                        id,
                                        Rule.catalogue().stream().map(Rule::id).toList(),
                                        "'verbatim rules' lists all rules")));
    }

    /** That of the project directory; an archive and a jar have none. */
    private CheckRecord record() {
        Path directory = home;
        if (directory == null || directory.toString().isEmpty()) {
            return CheckRecord.none();
        }
        if (!Files.isDirectory(directory.resolve("conformance"))) {
            throw new CommandFailure(
                    "--home=" + directory + " has no directory 'conformance'; specify the project directory");
        }
        return CheckRecord.read(directory);
    }

    private record Described(
            String id,
            String section,
            String scope,
            String statement,
            @Nullable Object basis,
            @Nullable List<?> tests) {}

    private List<Described> objects(List<Rule> rules, CheckRecord record) {
        return rules.stream()
                .filter(rule -> !missing || record.testsOf(rule).isEmpty())
                .map(rule -> new Described(
                        rule.id(),
                        rule.section(),
                        rule.scope().word(),
                        rule.statement(),
                        rule.basis().isEmpty() ? null : rule.basis(),
                        record.isAbsent() ? null : List.copyOf(record.testsOf(rule))))
                .toList();
    }
}
