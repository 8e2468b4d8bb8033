// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.Cmatose;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code roce ucmatose}. */
@Command(
        name = "ucmatose",
        description = {
            "The opposite side of ucmatose of rdma-core: connects, sends messages both ways and disconnects.",
            "Both sides need the same number of connections and messages, and the same size."
        })
final class RoceCmatoseCommand implements Runnable {

    private static final int USUAL_PORT = 7471;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Mixin
    private RoceMessageOptions messages;

    @Override
    public void run() {
        messages.run(spec.commandLine(), peer, USUAL_PORT, Cmatose::new);
    }
}
