// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClassGraphTest {

    @Test
    void twoCirclesThatShareAClassAreOneGroup() {
        ClassGraph graph = new ClassGraph(Map.of(
                "p.A", Set.of("p.B"),
                "p.B", Set.of("p.A", "p.C"),
                "p.C", Set.of("p.D"),
                "p.D", Set.of("p.B", "q.E"),
                "q.E", Set.of("q.F"),
                "q.F", Set.of("q.E"),
                "q.G", Set.of("p.A")));
        assertThat(graph.groups()).containsExactly(Set.of("p.A", "p.B", "p.C", "p.D"), Set.of("q.E", "q.F"));
    }

    @Test
    void packagesSeeWhatTheirClassesUse() {
        ClassGraph graph =
                new ClassGraph(Map.of("p.A", Set.of("q.B"), "q.B", Set.of(), "q.C", Set.of("p.D"), "p.D", Set.of()));
        assertThat(graph.groups()).isEmpty();
        assertThat(graph.ofPackages().groups()).containsExactly(Set.of("p", "q"));
    }
}
