// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.peer;

import dev.verbatim.bench.plan.BenchFailure;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs the two ends of another library's benchmark over loopback. */
final class PeerRun {

    private static final int PATIENCE_SECONDS = 20;
    private static final int TRIES = 50;
    private static final int PAUSE_MILLIS = 100;

    private PeerRun() {}

    /** Whether a program is in one of the folders, as the shell would find it. */
    static boolean isInstalled(PeerProgram program, String folders) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(folders)
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program.command())));
    }

    /**
     * Runs it once; nanoseconds of an operation.
     *
     * @throws BenchFailure if it does not run, does not end or prints something else
     */
    static double nanos(Peer peer, int sizeBytes) {
        int operations = peer.operations(sizeBytes);
        PeerProgram program = peer.program();
        try {
            int port = freePort();
            Process server = start(program, program.server(port, sizeBytes, operations));
            try {
                return peer.nanos(ask(program, program.client(port, peer.test(), sizeBytes, operations)));
            } finally {
                server.destroyForcibly();
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new BenchFailure(peer.title() + " cannot be compared with: " + e.getMessage() + "; see whether "
                    + program.command() + " runs by itself");
        }
    }

    /** Runs the client, again if the server does not listen yet; what it printed. */
    private static String ask(PeerProgram program, List<String> command) throws IOException {
        String said = "";
        for (int i = 0; i < TRIES; i++) {
            Process client = start(program, command);
            try {
                if (!client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("it did not end within " + PATIENCE_SECONDS + " s");
                }
                said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (client.exitValue() == 0) {
                    return said;
                }
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the thread was interrupted", e);
            } finally {
                client.destroyForcibly();
            }
        }
        throw new IOException("it ended with an error, " + said.strip());
    }

    private static Process start(PeerProgram program, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(program.environment());
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
