// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.spec.CompletionSwitchSpec;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.LimitSpec;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.PostingSwitchSpec;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.WindowSwitchSpec;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.wire.Opcode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Scenarios that say anything that can be said, whether it makes sense or not. */
final class RandomScenarios extends RandomSteps {

    RandomScenarios(long seed) {
        super(seed);
    }

    Scenario scenario() {
        Map<String, NodeSpec> nodes = map(1, 4, this::node);
        return new Scenario(
                text(),
                text(),
                list(3, this::text),
                nodes,
                list(3, this::connection),
                list(3, this::fault),
                new ChoiceSpec(
                        perhaps(() -> list(3, () -> pick(ChoicePoint.values()))),
                        list(2, () -> pick(ChoicePoint.values())),
                        random.nextInt(3),
                        perhaps(() -> 1 + random.nextInt(100))),
                list(3, this::outcome),
                list(3, () -> new Forbidden(outcome(), "ORD-11")),
                perhaps(this::outcome));
    }

    private NodeSpec node() {
        Map<String, RegionSpec> regions = map(0, 3, this::region);
        if (random.nextBoolean()) {
            regions = new LinkedHashMap<>(regions);
            regions.put(RegionSpec.WORDS, RegionSpec.ofWords(map(1, 3, random::nextLong)));
        }
        return new NodeSpec(
                profile(),
                regions,
                map(0, 2, this::window),
                map(0, 2, () -> new CqSpec(1 + random.nextInt(100), random.nextBoolean())),
                map(0, 2, this::qp),
                map(0, 2, this::srq),
                map(0, 2, this::handle),
                pick(NodeSpec.Leftovers.values()),
                list(12, this::step));
    }

    private ProfileSpec profile() {
        Map<String, Boolean> switches = new TreeMap<>();
        ProfileSpec.SWITCHES.keySet().forEach(word -> {
            if (random.nextInt(6) == 0) {
                switches.put(word, random.nextBoolean());
            }
        });
        return new ProfileSpec(
                "STRICT_IBTA",
                switches,
                perhaps(random::nextLong),
                perhaps(() -> 1 + random.nextInt(9)),
                windowSwitches(),
                postingSwitches(),
                completionSwitches(),
                limits());
    }

    private WindowSwitchSpec windowSwitches() {
        Map<String, Object> switches = new LinkedHashMap<>();
        if (random.nextInt(3) == 0) {
            switches.put("type1", random.nextBoolean());
            switches.put("type2", pick(WindowSwitches.Type2.values()));
            switches.put("bound_region", pick(WindowSwitches.BoundRegion.values()));
            switches.put("local_inv_status", pick(WindowSwitches.LocalInvStatus.values()));
        }
        return new WindowSwitchSpec(switches);
    }

    private PostingSwitchSpec postingSwitches() {
        Map<String, Object> switches = new LinkedHashMap<>();
        if (random.nextInt(3) == 0) {
            switches.put("lax_post", pick(PostingSwitches.LaxPost.values()));
            switches.put("lenient_atomic_size", random.nextBoolean());
        }
        return new PostingSwitchSpec(switches);
    }

    private CompletionSwitchSpec completionSwitches() {
        Map<String, Object> switches = new LinkedHashMap<>();
        if (random.nextInt(3) == 0) {
            switches.put("receive_status", pick(CompletionSwitches.ReceiveStatus.values()));
            switches.put("poison_error_cqe_fields", random.nextBoolean());
        }
        return new CompletionSwitchSpec(switches);
    }

    private LimitSpec limits() {
        Map<String, Integer> limits = new LinkedHashMap<>();
        LimitSpec.LIMITS.keySet().forEach(word -> {
            if (random.nextInt(6) == 0) {
                limits.put(
                        word, word.equals("active_mtu") ? 256 << random.nextInt(5) : 1 + random.nextInt(mostOf(word)));
            }
        });
        return new LimitSpec(limits);
    }

    private static int mostOf(String limit) {
        return limit.equals("phys_port_cnt") ? DeviceLimits.MOST_PHYSICAL_PORTS : 32;
    }

    private RegionSpec region() {
        Map<String, Long> words = map(0, 3, random::nextLong);
        boolean hex = random.nextBoolean();
        String content = random.nextBoolean() ? "" : hex ? "00ffa0" : text();
        int size = 8 * words.size() + 64 + content.length() * 4 + random.nextInt(100);
        return new RegionSpec(
                size,
                access(),
                words,
                random.nextInt(256),
                hex ? content : "",
                hex ? "" : content,
                name(),
                perhaps(random::nextLong),
                random.nextBoolean());
    }

    private ConnectionSpec connection() {
        LinkSpec link = random.nextBoolean()
                ? LinkSpec.USUAL
                : new LinkSpec(
                        pick(PathMtu.values()),
                        access(),
                        random.nextInt(256),
                        random.nextInt(256),
                        random.nextInt(32),
                        random.nextInt(8),
                        random.nextInt(8),
                        random.nextInt(32));
        return new ConnectionSpec(
                List.of(end(), end()),
                link,
                random.nextBoolean() ? List.of() : List.of(random.nextInt(1 << 24), random.nextInt(1 << 24)),
                random.nextBoolean());
    }

    private PacketFault fault() {
        PacketFault.Kind kind = pick(PacketFault.Kind.values());
        return new PacketFault(
                kind,
                perhaps(() -> pick(Opcode.values())),
                perhaps(this::name),
                perhaps(this::name),
                1 + random.nextInt(3),
                1 + random.nextInt(3),
                kind == PacketFault.Kind.DELAY || kind == PacketFault.Kind.CUT ? 1 + random.nextInt(1_000_000) : 0);
    }

    private OutcomePattern outcome() {
        return new OutcomePattern(map(
                1,
                3,
                () -> random.nextBoolean()
                        ? List.of("SUCCESS")
                        : List.of(String.valueOf(random.nextInt(9)), String.valueOf(random.nextLong()))));
    }
}
