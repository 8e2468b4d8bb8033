// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.PingPong;
import dev.verbatim.interop.PingPongOptions;
import dev.verbatim.interop.PingPongOptions.Service;
import dev.verbatim.verbs.PathMtu;
import java.net.InetSocketAddress;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code roce pingpong}. */
@Command(
        name = "pingpong",
        description = {
            "The opposite side of ibv_rc_pingpong, ibv_uc_pingpong, ibv_ud_pingpong and ibv_srq_pingpong of rdma-core.",
            "Addresses of queue pairs are exchanged over TCP, at --port (18515). Start the program of rdma-core with"
                    + " '-g' and the index of a GID of type RoCE v2 (see 'ibv_devinfo -v'), and the same size, number"
                    + " of iterations and queue pairs."
        })
final class RocePingPongCommand implements Runnable {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BITS_PER_MEGABIT = 1e6;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RocePeerOptions peer;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "rc",
            description = "Service: rc, uc, ud, or srq for RC with a shared receive queue. Default: ${DEFAULT-VALUE}.")
    private String type;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Message size. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096. Default: ${DEFAULT-VALUE}.")
    private int mtu;

    @Option(
            names = "--iters",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages in each direction. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--num-qp",
            paramLabel = "N",
            defaultValue = "16",
            description = "Queue pairs of type srq. Default: ${DEFAULT-VALUE}.")
    private int queuePairs;

    @Option(
            names = "--check",
            description = "Compare each message with what must arrive. Start a client of rdma-core with -c then.")
    private boolean check;

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        PingPongOptions options = options(command);
        InetSocketAddress server = peer.serverAddress(command, PingPongOptions.USUAL_PORT);
        peer.run(command, (device, out) -> {
            PingPong program = new PingPong(device, options, line -> RocePeerOptions.print(out, line));
            PingPong.Result result = peer.isServer() ? program.serve(server) : program.dial(server);
            double seconds = result.nanos() / NANOS_PER_SECOND;
            RocePeerOptions.print(
                    out,
                    String.format(
                            Locale.ROOT,
                            "%d bytes in %.2f seconds = %.2f Mbit/sec, %d iterations",
                            result.bytes(),
                            seconds,
                            result.bytes() * Byte.SIZE / seconds / BITS_PER_MEGABIT,
                            result.iterations()));
        });
    }

    private PingPongOptions options(CommandLine command) {
        try {
            Service service = Service.valueOf(type.toUpperCase(Locale.ROOT));
            int pairs = service == Service.SRQ ? queuePairs : 1;
            return new PingPongOptions(service, size, PathMtu.ofBytes(mtu), iterations, pairs, check, peer.patience());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    command, "--type=" + type + " or --mtu=" + mtu + " is not one of those that --help lists", e);
        } catch (InteropException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }
}
