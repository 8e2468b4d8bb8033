// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.Verbatim;
import dev.verbatim.cli.devinfo.DeviceInfo;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code devinfo}. */
@Command(name = "devinfo", description = "Prints the attributes of a device and its port, as ibv_devinfo -v does.")
final class DevinfoCommand implements Runnable {

    private static final String NAME = "verbatim0";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "STRICT_IBTA",
            description =
                    "Profile of the device: STRICT_IBTA, RXE_LIKE, MLX5_LIKE, IRDMA_LIKE or LINUX_LIKE. Default: ${DEFAULT-VALUE}.")
    private String profile;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (Verbatim rdma = Verbatim.inProcess().profile(ProfileOption.named(profile, spec))) {
            List<String> lines = DeviceInfo.of(rdma.open(NAME));
            if (json) {
                out.println(JsonText.of(Map.of("kind", "devinfo", "lines", lines)));
            } else {
                lines.forEach(out::println);
            }
        }
    }
}
