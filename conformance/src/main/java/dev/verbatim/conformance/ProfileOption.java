// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How devices behave, whatever the files say. */
final class ProfileOption {

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = {
                "Profile of all devices, instead of those that the files name: STRICT_IBTA, RXE_LIKE, MLX5_LIKE or"
                        + " IRDMA_LIKE."
            })
    private @Nullable String profile;

    /** The name; null for what the files say. */
    @Nullable
    String profile() {
        return profile;
    }

    /** Refuses the name of no profile. */
    void check(CommandSpec spec) {
        if (profile != null && !ProfileSpec.PROFILES.containsKey(profile)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--profile=" + profile + " is not one of " + String.join(", ", ProfileSpec.PROFILES.keySet()));
        }
    }
}
