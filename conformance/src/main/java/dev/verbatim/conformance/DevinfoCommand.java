// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.Verbatim;
import dev.verbatim.conformance.devinfo.DeviceInfo;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code devinfo}. */
@Command(name = "devinfo", description = "Prints the attributes of a device and its port, as ibv_devinfo -v does.")
final class DevinfoCommand implements Runnable {

    private static final String NAME = "verbatim0";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProfileOption profiles;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Override
    public void run() {
        profiles.check(spec);
        String profile = profiles.profile();
        PrintWriter out = spec.commandLine().getOut();
        Verbatim rdma = Verbatim.inProcess();
        try (Verbatim open =
                profile == null ? rdma : rdma.profile(Objects.requireNonNull(ProfileSpec.PROFILES.get(profile)))) {
            List<String> lines = DeviceInfo.of(open.open(NAME));
            if (json) {
                out.println(JSON.std.asString(Map.of("kind", "devinfo", "lines", lines)));
            } else {
                lines.forEach(out::println);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
