// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.loop.Beside;
import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.bench.plan.RoceAddresses;
import dev.verbatim.bench.plan.RunLength;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to measure.
 *
 * @param transport the way to sockets
 * @param roce where the devices are over RoCEv2
 * @param sizesBytes of the messages whose bandwidth is measured
 * @param depth requests outstanding where the queue is deep
 * @param withPeers whether to measure what others have to show, too
 * @param beside another build that is measured in turn with the present one, except over RoCEv2; null for none
 */
public record BenchPlan(
        Set<BenchCase> cases,
        Set<OneTimeCost> costs,
        Set<Setting> settings,
        SocketTransport transport,
        RoceAddresses roce,
        List<Integer> sizesBytes,
        int depth,
        RunLength runLength,
        boolean withPeers,
        @Nullable Beside beside) {

    private static final int WORD_BYTES = 8;

    /** In the order in which they are measured: what needs the same devices stands together. */
    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        for (Setting setting : settings) {
            for (BenchCase what :
                    cases.stream().filter(each -> each.isPossible(setting)).toList()) {
                for (int sizeBytes : what.hasSizes() ? sizesBytes : List.of(WORD_BYTES)) {
                    lines.add(new Line(what, setting, setting == Setting.IN_PROCESS ? null : transport, sizeBytes));
                }
            }
        }
        return lines;
    }

    /** Room for the largest message. */
    int regionBytes() {
        return sizesBytes.stream().mapToInt(Integer::intValue).reduce(WORD_BYTES, Math::max);
    }
}
