// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.rules.RuleCatalogue;
import dev.verbatim.conformance.rules.RuleEntry;
import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.form.Problems;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.QpType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds names in a scenario that mean nothing, and things that do not fit together. */
final class ScenarioCheck {

    private final Scenario scenario;
    private final Problems problems;
    private final Map<String, Names> names;
    private final NameScope.Signals signals = new NameScope.Signals();

    private ScenarioCheck(Scenario scenario, Problems problems) {
        this.scenario = scenario;
        this.problems = problems;
        this.names = scenario.names();
    }

    static void check(Scenario scenario, Problems problems) {
        ScenarioCheck check = new ScenarioCheck(scenario, problems);
        check.connections();
        check.words();
        check.programs();
        check.faults();
        check.outcomes();
        check.rules();
    }

    private void connections() {
        Set<QpRef> seen = new HashSet<>();
        for (int i = 0; i < scenario.connections().size(); i++) {
            ConnectionSpec connection = scenario.connections().get(i);
            String path = "connections[" + i + "].between";
            for (QpRef end : new LinkedHashSet<>(connection.ends())) {
                if (node(path, end.node()) && !seen.add(end) && !isUd(end)) {
                    problems.add(
                            path,
                            end + " is connected already; name another queue pair, such as " + end.node() + ".second");
                }
            }
        }
    }

    /** Datagrams go to any number of peers. */
    private boolean isUd(QpRef end) {
        Names node = names.get(end.node());
        QpSpec qp = node == null ? null : node.qps().get(end.qp());
        return qp != null && qp.type() == QpType.UD;
    }

    private boolean node(String path, @Nullable String node) {
        if (node != null && !names.containsKey(node)) {
            problems.add(path, "there is no node " + node + "; " + NearestWord.advice(node, names.keySet()));
            return false;
        }
        return true;
    }

    /** Outcomes name words without their node. */
    private void words() {
        Map<String, String> ownerOf = new HashMap<>();
        names.forEach((node, all) -> all.words().forEach(word -> {
            String other = ownerOf.putIfAbsent(word, node);
            if (other != null) {
                problems.add("nodes." + node, "word " + word + " is also one of node " + other + "; rename one");
            }
            if (all.regions().containsKey(word)) {
                problems.add("nodes." + node, word + " is both a word and a region; rename one");
            }
        }));
        names.forEach(this::queues);
        names.forEach((node, all) -> all.windows().keySet().stream()
                .filter(all.places()::contains)
                .forEach(window -> problems.add(
                        "nodes." + node + ".windows." + window,
                        window + " is both a window and a word or region; rename one")));
    }

    /** What queue pairs, shared receive queues and address handles name must be there. */
    private void queues(String node, Names all) {
        all.qps().forEach((name, qp) -> {
            String srq = qp.srq();
            if (srq != null && !all.srqs().containsKey(srq)) {
                problems.add(
                        "nodes." + node + ".qps." + name + ".srq",
                        "there is no shared receive queue " + srq + "; "
                                + NearestWord.advice(srq, all.srqs().keySet()));
            }
        });
        all.ahs().forEach((name, ah) -> node("nodes." + node + ".ahs." + name, ah.node()));
    }

    private void programs() {
        scenario.nodes().forEach((node, spec) -> {
            Names own = names.get(node);
            if (own != null) {
                NameScope scope = new NameScope(problems, names, own, signals);
                for (int i = 0; i < spec.program().size(); i++) {
                    spec.program().get(i).check(scope.at("nodes." + node + ".program[" + i + "]"));
                }
            }
        });
        signals.check(problems);
    }

    private void faults() {
        for (int i = 0; i < scenario.faults().size(); i++) {
            PacketFault fault = scenario.faults().get(i);
            String path = "faults[" + i + "]." + fault.kind().word();
            node(path + ".from", fault.from());
            node(path + ".to", fault.to());
        }
    }

    private void outcomes() {
        Set<String> known = new TreeSet<>(signals.registers().keySet());
        names.values().forEach(all -> known.addAll(all.words()));
        for (int i = 0; i < scenario.allowed().size(); i++) {
            outcome("allowed[" + i + "]", scenario.allowed().get(i), known);
        }
        for (int i = 0; i < scenario.forbidden().size(); i++) {
            outcome("forbidden[" + i + "].outcome", scenario.forbidden().get(i).outcome(), known);
        }
        if (scenario.canonical() != null) {
            outcome("canonical", scenario.canonical(), known);
        }
    }

    private void outcome(String path, OutcomePattern pattern, Set<String> known) {
        for (String name : pattern.values().keySet()) {
            if (!known.contains(name)) {
                problems.add(
                        path + "." + name,
                        "there is no register or word " + name + "; " + NearestWord.advice(name, known));
            }
        }
    }

    private void rules() {
        List<String> ids =
                RuleCatalogue.load().entries().stream().map(RuleEntry::id).toList();
        for (String rule : scenario.rules()) {
            rule("rules", rule, ids);
        }
        for (int i = 0; i < scenario.forbidden().size(); i++) {
            rule("forbidden[" + i + "].rule", scenario.forbidden().get(i).rule(), ids);
        }
    }

    private void rule(String path, String rule, List<String> ids) {
        if (!ids.contains(rule)) {
            problems.add(
                    path,
                    "there is no rule " + rule + "; " + NearestWord.advice(rule, ids)
                            + " All are listed by ./verbatim rules");
        }
    }
}
