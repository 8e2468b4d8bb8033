// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.Verbatim;
import dev.verbatim.interop.InteropException;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.VerbsException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The device of a command of {@code roce}, and its peer. */
final class RocePeerOptions {

    private static final int LAST_PORT = 65535;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SERVER",
            description = "Address of the peer, which is the server.")
    private @Nullable String server;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            required = true,
            description = "Local IPv4 or IPv6 address of the device. Its UDP port 4791 must be free.")
    private String bind;

    @Mixin
    private RoceCarrierOptions carrier;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Longest wait for the peer, at each step. Default: ${DEFAULT-VALUE}.")
    private int patienceSeconds;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port at which the server listens. Default: the port of the program of rdma-core.")
    private @Nullable Integer port;

    /** What a command does with its device. */
    interface Work {
        void run(Device device, PrintWriter out);
    }

    /** What a command does that opens devices itself. */
    interface FabricWork {
        void run(Verbatim rdma, PrintWriter out);
    }

    /** Opens the device, does the work and closes the device; says what a program left open, also one that failed. */
    void run(CommandLine command, Work work) {
        runOnFabric(command, (rdma, out) -> {
            Device device = rdma.open("roce");
            try {
                work.run(device, out);
            } finally {
                close(device, out);
            }
        });
    }

    private static void close(Device device, PrintWriter out) {
        try {
            device.close();
        } catch (VerbsException e) {
            print(out, "left open: " + e.getMessage());
        }
    }

    /** Opens a fabric at the local address, does the work and closes the fabric. */
    void runOnFabric(CommandLine command, FabricWork work) {
        if (patienceSeconds < 1) {
            throw new ParameterException(command, "--patience=" + patienceSeconds + " must be at least 1");
        }
        PrintWriter out = command.getOut();
        InetAddress address = localAddress();
        try (Verbatim rdma = Verbatim.over(RoceFabric.open(carrier.at(command, address)))) {
            work.run(rdma, out);
        } finally {
            out.flush();
        }
    }

    Duration patience() {
        return Duration.ofSeconds(patienceSeconds);
    }

    InetAddress localAddress() {
        return resolve("--bind", bind);
    }

    boolean isServer() {
        return server == null;
    }

    /** Where the server listens: here, or at the peer. */
    InetSocketAddress serverAddress(CommandLine command, int usualPort) {
        int chosen = port == null ? usualPort : port;
        if (chosen < 1 || chosen > LAST_PORT) {
            throw new ParameterException(command, "--port=" + chosen + " is not in 1.." + LAST_PORT);
        }
        return new InetSocketAddress(server == null ? localAddress() : resolve("SERVER", server), chosen);
    }

    private static InetAddress resolve(String what, String name) {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new InteropException(what + "=" + name + " cannot be resolved; give an IP address");
        }
    }

    /** A line of a program, which is to be seen at once. */
    static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
