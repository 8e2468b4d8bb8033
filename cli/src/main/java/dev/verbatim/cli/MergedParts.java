// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import java.util.List;

/** How {@code merge} joins the parts of one command. */
interface MergedParts {

    /** How many of its units of work a complete part has not done. */
    long left(ShardResult part);

    /**
     * Prints what one process would have printed, but for times.
     *
     * @param parts complete or not, in their order
     * @return whether nothing was found
     */
    boolean tell(List<ShardResult> parts, Output output);

    /** Which of two complete results of one part counts, though they differ; one of the same build gives the same result. */
    default ShardResult chosen(ShardResult one, ShardResult other) {
        throw new IllegalArgumentException(one.file() + " and " + other.file() + " differ, though both are part "
                + other.shard() + " of one job: they are not of one build; run the parts again");
    }

    /**
     * That of a command.
     *
     * @throws IllegalArgumentException if it has no parts
     */
    static MergedParts of(ShardResult part) {
        return switch (part.command()) {
            case "explore" -> new ExploreMerge();
            case "litmus" -> new LitmusMerge();
            case "run" -> new RunMerge();
            case "soak" -> new SoakMerge();
            default ->
                throw new IllegalArgumentException(
                        part.file() + ": parts of '" + part.command() + "' are not known to this version");
        };
    }
}
