// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.soak.plan.SoakPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Joins parts of {@code soak}: each is a soak of its own, with a seed of its own. */
final class SoakMerge implements MergedParts {

    /** What the parts of one job have in common; the seed is that of the first. */
    static Map<String, Object> job(SoakPlan plan, Shard shard) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("seed", plan.seed() - (shard.number() - 1));
        job.put("threads", plan.threads());
        job.put("fabric", plan.fabric().toString());
        job.put("seconds", plan.duration().toMillis() / 1000.0);
        return job;
    }

    private static boolean isGood(ShardResult part) {
        return part.lines("soak").stream().allMatch(line -> Boolean.TRUE.equals(line.get("asExpected")));
    }

    @Override
    public long left(ShardResult part) {
        return part.lines("soak").isEmpty() ? 1 : 0;
    }

    /** No two runs of a seed are the same: one that found something counts. */
    @Override
    public ShardResult chosen(ShardResult one, ShardResult other) {
        return isGood(one) ? other : one;
    }

    @Override
    public boolean tell(List<ShardResult> parts, Output output) {
        SoakReport report = new SoakReport(output);
        parts.forEach(part -> part.lines("soak").forEach(report::merged));
        return report.finished();
    }
}
