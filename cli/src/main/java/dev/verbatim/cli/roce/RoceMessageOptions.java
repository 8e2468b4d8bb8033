// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.MessageOptions;
import dev.verbatim.interop.MessageProgram;
import dev.verbatim.verbs.Device;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How many messages {@code roce ucmatose} and {@code roce udaddy} exchange. */
final class RoceMessageOptions {

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of connections. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "10",
            description = "Messages in each direction on each connection. Default: ${DEFAULT-VALUE}.")
    private int messages;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Message size. Default: ${DEFAULT-VALUE}.")
    private int size;

    /** Makes the program of a device. */
    interface Maker {
        MessageProgram make(Device device, MessageOptions options, Consumer<String> lines);
    }

    /** Runs the program at the peer's opposite side. */
    void run(CommandLine command, RocePeerOptions peer, int usualPort, Maker maker) {
        peer.run(command, (device, out) -> {
            MessageProgram program =
                    maker.make(device, options(command, peer.patience()), line -> RocePeerOptions.print(out, line));
            InetSocketAddress server = peer.serverAddress(command, usualPort);
            if (peer.isServer()) {
                program.serve(server);
            } else {
                program.connect(server);
            }
        });
    }

    private MessageOptions options(CommandLine command, Duration patience) {
        try {
            return new MessageOptions(connections, messages, size, patience);
        } catch (InteropException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }
}
