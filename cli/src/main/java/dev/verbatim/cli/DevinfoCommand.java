// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.Verbatim;
import dev.verbatim.cli.devinfo.DeviceInfo;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code devinfo}. */
@Command(name = "devinfo", description = "Prints the attributes of a device and its port, as ibv_devinfo -v does.")
@QuickJvm
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

    @Mixin
    private Output output;

    @Override
    public void run() {
        try (Verbatim rdma = Verbatim.inProcess().profile(ProfileOption.named(profile, spec))) {
            output.print(new Devinfo(DeviceInfo.of(rdma.open(NAME))));
        }
    }

    private record Devinfo(List<String> lines) implements Result {
        @Override
        public void text(PrintWriter out) {
            lines.forEach(out::println);
        }
    }
}
