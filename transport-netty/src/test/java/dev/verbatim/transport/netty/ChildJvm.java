// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A main class of the tests in a JVM of its own: the same Java, the same class path, no shell. */
final class ChildJvm {

    private ChildJvm() {}

    /** What starts it; what it says of errors is shown with our own. */
    static ProcessBuilder of(Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        for (Object argument : arguments) {
            command.add(String.valueOf(argument));
        }
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /**
     * Kills the process and waits for its end. {@link Process#destroyForcibly} would close its output, too: a thread that is about to read
     * that may then read what the next process says, if the same file descriptor is used again.
     */
    static void kill(Process process) {
        process.toHandle().destroyForcibly();
        Await.result("the end of a process", process.onExit());
    }

    /** Sends the process a POSIX signal, such as STOP. */
    static void signal(Process process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).as("kill -%s", name).isZero();
    }
}
