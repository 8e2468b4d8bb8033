// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Platform;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the memory of a node is.
 *
 * @param platform what orders accesses to it; null for coherent host memory
 * @param domains memory domains besides that of the host, by name
 * @param adapterOf the node whose memory it is, if this one is another adapter of that; null if it is its own
 */
public record MemorySpec(
        @Nullable Platform platform,
        Map<String, MemoryDomain.Kind> domains,
        @Nullable String adapterOf) {

    /** Coherent host memory. */
    public static final MemorySpec USUAL = new MemorySpec(null, Map.of(), null);

    /** The name of a platform. */
    public static final Form<Platform> PLATFORM = Forms.oneOf("a platform", byName());

    /** Domains by name. */
    public static final Form<Map<String, MemoryDomain.Kind>> DOMAINS = Forms.mapOf(
            Forms.name("the name of a memory domain"),
            Forms.constant(
                    "a kind of memory",
                    MemoryDomain.Kind.class,
                    kind -> kind.name().toLowerCase(Locale.ROOT)));

    /** Copies the map. */
    public MemorySpec {
        domains = Collections.unmodifiableMap(new LinkedHashMap<>(domains));
    }

    /** Whether its observers may see different things. */
    public boolean isMarked() {
        return platform != null || !domains.isEmpty();
    }

    /** The same on that platform, if its observers may see different things. */
    public MemorySpec on(Platform other) {
        return isMarked() ? new MemorySpec(other, domains, adapterOf) : this;
    }

    private static Map<String, Platform> byName() {
        Map<String, Platform> byName = new LinkedHashMap<>();
        List<Platform> named = Platform.named();
        named.forEach(platform -> byName.put(platform.name(), platform));
        return byName;
    }
}
