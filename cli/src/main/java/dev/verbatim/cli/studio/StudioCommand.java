// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
import java.awt.Desktop;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code studio}. */
@Command(
        name = "studio",
        description = {
            "Serves a web page on loopback to edit scenarios, run and explore them, and look at the drawing, until it is"
                    + " interrupted.",
            "Prints the address, which has a token, and opens it in the browser."
        })
public final class StudioCommand implements Runnable {

    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Scenario files that the page offers besides the shipped ones.")
    private List<Path> files = List.of();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "Port of 127.0.0.1. Default: a free one.")
    private int port;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "Stop a run or an exploration after N seconds. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(names = "--no-open", description = "Do not open the browser.")
    private boolean noOpen;

    @Mixin
    private Output output;

    @Override
    public void run() {
        if (port < 0 || port > LAST_PORT || seconds < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port=" + port + " or --seconds=" + seconds + " is out of range; ports are 0.." + LAST_PORT
                            + ", seconds at least 1");
        }
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new ParameterException(spec.commandLine(), file + " is no file; name scenario files");
            }
        }
        try (Studio studio = Studio.open(port, files, seconds)) {
            output.print(new StudioLine(studio.address()));
            if (!noOpen) {
                open(studio.address());
            }
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record StudioLine(String address) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println(address);
        }
    }

    /** Where there is a desktop; elsewhere the printed address is enough. */
    private static void open(String address) {
        try {
            if (Desktop.isDesktopSupported() && Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
                Desktop.getDesktop().browse(URI.create(address));
            }
        } catch (IOException | UnsupportedOperationException e) {
            // The address is printed.
        } catch (NoClassDefFoundError e) {
            // A Java without java.desktop, such as that of the distribution.
        }
    }
}
