// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which part of a job a process does. */
final class ShardOption {

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = {
                "Do part I of N, to divide the work among machines. 'merge' joins what the parts print with --json.",
                "Default: all, or with VERBATIM_SHARDS=N part JOB_COMPLETION_INDEX + 1, as in an Indexed Job of Kubernetes."
            })
    private @Nullable String shard;

    /** The part that is asked for; null if there are no parts. */
    @Nullable
    Shard of(CommandSpec spec) {
        try {
            return Shard.of(shard, System.getenv());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Begins what a part prints for {@code merge}, where it prints for programs.
     *
     * @param job what all parts have in common
     */
    static void begin(Output output, String command, Shard shard, Map<String, ?> job) {
        output.printForPrograms(new ShardLine(command, shard.number(), shard.of(), BuildVersion.version(), job));
    }

    private record ShardLine(String command, int shard, int of, String version, Map<String, ?> job) implements Line {}
}
