// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import java.util.Locale;
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
                "Profile of all devices, overrides the profiles in the files: STRICT_IBTA, RXE_LIKE, MLX5_LIKE or"
                        + " IRDMA_LIKE."
            })
    private @Nullable String profile;

    /** The name; null for what the files say. */
    @Nullable
    String profile() {
        return profile == null ? null : profile.toUpperCase(Locale.ROOT);
    }

    /** Refuses the name of no profile. */
    void check(CommandSpec spec) {
        String chosen = profile();
        if (chosen != null && !ProfileSpec.PROFILES.containsKey(chosen)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--profile=" + profile + " is not one of " + String.join(", ", ProfileSpec.PROFILES.keySet()));
        }
    }
}
