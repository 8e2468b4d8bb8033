// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.profile.DeviceProfile;
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
                "Profile of all devices, overrides the profiles in the files: STRICT_IBTA, RXE_LIKE, MLX5_LIKE,"
                        + " IRDMA_LIKE or LINUX_LIKE."
            })
    private @Nullable String profile;

    /** The name; null for what the files say. */
    @Nullable
    String profile() {
        return profile == null ? null : profile.toUpperCase(Locale.ROOT);
    }

    /** Refuses the name of no profile. */
    void check(CommandSpec spec) {
        if (profile != null) {
            named(profile, spec);
        }
    }

    /**
     * The profile that a command line names, in any case.
     *
     * @throws ParameterException if there is none of that name
     */
    static DeviceProfile named(String name, CommandSpec spec) {
        DeviceProfile named = ProfileSpec.PROFILES.get(name.toUpperCase(Locale.ROOT));
        if (named == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--profile=" + name + " is not one of " + String.join(", ", ProfileSpec.PROFILES.keySet()));
        }
        return named;
    }
}
