// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.scenario.FileReason;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.sim.Checkpoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A directory with a checkpoint of each exploration that is under way or over. */
final class CheckpointFiles {

    private static final int DIGITS = 16;

    private final CommandLine command;
    private final Path directory;
    private final String options;
    private final String build;

    /**
     * Makes the directory if it is not there.
     *
     * @param options what the explorations are besides their files; others are refused
     * @throws ParameterException if the directory cannot be made
     */
    CheckpointFiles(CommandLine command, Path directory, String options) {
        this.command = command;
        this.directory = directory;
        this.options = options;
        this.build = BuildVersion.version() + " " + digestOf(CheckpointFiles.class) + " " + digestOf(ScenarioFile.class)
                + " " + digestOf(Checkpoint.class);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw refused("--checkpoint=" + directory + " cannot be made (" + FileReason.of(e)
                    + "); name a directory where you may write");
        }
    }

    /** Of the jar that a class is from; classes in a directory have none. */
    private static String digestOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            Path place = source == null ? null : Path.of(source.getLocation().toURI());
            return place == null || Files.isDirectory(place) ? "classes" : digestOf(Files.readAllBytes(place));
        } catch (IOException | URISyntaxException e) {
            return "unknown";
        }
    }

    private static String digestOf(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String digestOf(String text) {
        return digestOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private Path pathOf(ScenarioFile file) {
        Path name = Path.of(file.name()).getFileName();
        return directory.resolve(name + "-" + digestOf(file.name()) + ".checkpoint");
    }

    /**
     * Where the exploration of a file was; null if it has not begun.
     *
     * @throws ParameterException if that is of another build, file or option, or is damaged
     */
    @Nullable
    Checkpoint read(ScenarioFile file) {
        Path path = pathOf(file);
        if (!Files.exists(path)) {
            return null;
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
            require(path, "another build", in.readUTF(), build);
            require(path, "another text of " + file.name(), in.readUTF(), digestOf(file.text()));
            require(path, "other options", in.readUTF(), options);
            return Checkpoint.read(in);
        } catch (IOException e) {
            throw refused(path + " is damaged (" + e.getMessage()
                    + "); remove it, and that file is explored from the beginning");
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(command, message);
    }

    private void require(Path path, String what, String there, String wanted) {
        if (!there.equals(wanted)) {
            throw refused(path + " is of " + what + " (" + there + ", and now it is " + wanted
                    + "); name another directory, or remove the file");
        }
    }

    /** Replaces what is there, at once: whoever is ended meanwhile leaves the one or the other. */
    void write(ScenarioFile file, Checkpoint checkpoint) {
        Path path = pathOf(file);
        Path next = path.resolveSibling(path.getFileName() + ".next");
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(next)))) {
                out.writeUTF(build);
                out.writeUTF(digestOf(file.text()));
                out.writeUTF(options);
                checkpoint.write(out);
            }
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandFailure(
                    path + " cannot be written (" + e.getMessage() + "); make room, and run the command again");
        }
    }
}
