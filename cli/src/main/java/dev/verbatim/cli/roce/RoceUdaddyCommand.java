// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.Udaddy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code roce udaddy}. */
@Command(
        name = "udaddy",
        description = {
            "The opposite side of udaddy of rdma-core: resolves a service and sends datagrams both ways.",
            "Both sides need the same number of connections and messages, and the same size."
        })
final class RoceUdaddyCommand implements Runnable {

    private static final int USUAL_PORT = 7174;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Mixin
    private RoceMessageOptions messages;

    @Override
    public void run() {
        messages.run(spec.commandLine(), peer, USUAL_PORT, Udaddy::new);
    }
}
