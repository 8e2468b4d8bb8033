// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A socket in the file system at which a process answers commands of its own user: a line each, and the answer to the end of the
 * connection. It lies in a directory of {@code /tmp} that nobody else can enter. {@code stat} is answered with the lines of {@link StatServer}, other
 * commands by whoever opened the socket. One daemon thread serves one connection after the other, each for at most two seconds.
 */
public final class ControlSocket implements AutoCloseable {

    private static final String STAT = "stat";
    private static final String ENDING = ".socket";

    private final Path file;
    private final ConnectionServer server;

    private ControlSocket(Path file, ConnectionServer server) {
        this.file = file;
        this.server = server;
    }

    /**
     * Opens that of this process.
     *
     * @param answers the answer to a command; it must not wait
     * @throws UncheckedIOException if it cannot be opened, or others could reach it
     */
    public static ControlSocket open(UnaryOperator<String> answers) {
        Path file = of(ProcessHandle.current().pid());
        ServerSocketChannel channel = null;
        try {
            Path directory = own(file.toAbsolutePath().getParent());
            removeLeft(directory);
            channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(file));
            return new ControlSocket(
                    file,
                    ConnectionServer.start(
                            channel,
                            "verbatim-control",
                            peer -> ConnectionServer.write(
                                    peer, answer(ConnectionServer.read(peer).strip(), answers))));
        } catch (IOException e) {
            ConnectionServer.closeQuietly(channel);
            throw new UncheckedIOException("cannot open " + file + " for commands: " + e.getMessage(), e);
        }
    }

    /** Removes what processes have left that were killed, and one with the number of this. */
    private static void removeLeft(Path directory) throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(directory, "*" + ENDING)) {
            for (Path socket : sockets) {
                String pid = socket.getFileName().toString().replace(ENDING, "");
                boolean isLeft = pid.matches("\\d{1,18}")
                        && (Long.parseLong(pid) == ProcessHandle.current().pid()
                                || ProcessHandle.of(Long.parseLong(pid)).isEmpty());
                if (isLeft) {
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    /** Where that of a process of this user is. */
    static Path of(long pid) {
        return Path.of("/tmp", "verbatim-" + userId(), pid + ENDING);
    }

    private static Object userId() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return System.getProperty("user.name", "user");
        }
    }

    /** The directory, which is made if it is not there; it must be the user's own, and closed to others. */
    private static Path own(@Nullable Path directory) throws IOException {
        Path wanted = directory == null ? Path.of("") : directory;
        if (!Files.isDirectory(wanted, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(
                    wanted, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        boolean isClosed = PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(wanted, LinkOption.NOFOLLOW_LINKS))
                .endsWith("------");
        boolean isOwn = Files.getOwner(wanted, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(Path.of("/proc/self")));
        if (!isClosed || !isOwn) {
            throw new IOException(wanted + " is not this user's alone; remove it, or its rights for others");
        }
        return wanted;
    }

    /**
     * Asks a process of this user.
     *
     * @param command one line
     * @return the answer
     * @throws IOException if the process takes no commands
     */
    public static String ask(long pid, String command) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(of(pid)))) {
            channel.configureBlocking(false);
            ConnectionServer.write(channel, command + "\n");
            channel.shutdownOutput();
            return ConnectionServer.read(channel);
        }
    }

    /** Whether a process of this user takes commands, as far as its socket says. */
    public static boolean isOpen(long pid) {
        return Files.exists(of(pid));
    }

    private static String answer(String command, UnaryOperator<String> answers) {
        return command.equals(STAT) ? StatServer.lines() : answers.apply(command);
    }

    /** Stops answering, and removes the socket. */
    @Override
    public void close() {
        server.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // It stays, and answers nobody.
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
