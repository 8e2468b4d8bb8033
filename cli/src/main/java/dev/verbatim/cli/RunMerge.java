// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.scenario.ScenarioFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Joins parts of {@code run}. */
final class RunMerge implements MergedParts {

    /** What the parts of one job have in common. */
    static Map<String, Object> job(List<ScenarioFile> files, String fabric, @Nullable Long seed) {
        Map<String, Object> job = new LinkedHashMap<>(LitmusMerge.job(files));
        job.put("fabric", fabric);
        job.put("seed", seed == null ? "" : seed);
        return job;
    }

    private static boolean isEnd(Map<String, Object> line) {
        return "outcome".equals(line.get("kind")) || "skipped".equals(line.get("kind"));
    }

    @Override
    public long left(ShardResult part) {
        long ended = part.lines().stream().filter(RunMerge::isEnd).count();
        return part.shard().share(LitmusMerge.files(part).size()) - ended;
    }

    @Override
    public boolean tell(List<ShardResult> parts, Output output) {
        RunReport report = new RunReport(output, false);
        Map<String, List<List<Map<String, Object>>>> found = new LinkedHashMap<>();
        for (ShardResult part : parts) {
            List<Map<String, Object>> current = new ArrayList<>();
            for (Map<String, Object> line : part.lines()) {
                current.add(line);
                if (isEnd(line)) {
                    found.computeIfAbsent(String.valueOf(line.get("file")), name -> new ArrayList<>())
                            .add(current);
                    current = new ArrayList<>();
                }
            }
        }
        // The same name may be given twice.
        for (String name : LitmusMerge.files(parts.get(0))) {
            List<List<Map<String, Object>>> left = found.getOrDefault(name, List.of());
            if (!left.isEmpty()) {
                report.merged(left.remove(0));
            }
        }
        return report.finished();
    }
}
