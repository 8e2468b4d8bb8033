// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.util.List;
import java.util.stream.Stream;

/** Calls the command {@code explore}; says how it ended in values that every class loader knows. */
public final class ExploreInvocation {

    private ExploreInvocation() {}

    /** Exit code, standard output, standard error. */
    public static List<Object> call(String... args) {
        Invocation ended = Invocation.of(
                Stream.concat(Stream.of("explore"), Stream.of(args)).toArray(String[]::new));
        return List.of(ended.exitCode(), ended.out(), ended.err());
    }
}
