// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs are found as the system finds them, and scripts are followed to what runs them. */
class ExecutableTest {

    private static final Path SHELL = Path.of("/bin/sh");

    @TempDir
    private Path directory;

    private Path executable(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private static void assertRefused(String name, String path, String reason) {
        assertThatThrownBy(() -> Executable.find(name, path))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining(reason);
    }

    @Test
    void nameWithoutSlashIsLookedForInPath() throws IOException {
        Files.writeString(directory.resolve("sh"), "not executable, and so passed over");

        assertThat(Executable.find("sh", directory + ":/bin").file()).isEqualTo(SHELL);
        assertThat(Executable.find("/bin/sh", null).binary()).isEqualTo(SHELL);
    }

    @Test
    void scriptIsFollowedToItsInterpreter() throws IOException {
        Path script = executable("script", "#! /bin/sh -e\necho\n");
        Path nested = executable("nested", "#!" + script + "\n");
        Path byEnvironment = executable("by-env", "#!/usr/bin/env -S A=1 sh -e\n");

        assertThat(Executable.find(script.toString(), null)).isEqualTo(new Executable(script, SHELL));
        assertThat(Executable.find(nested.toString(), null)).isEqualTo(new Executable(nested, SHELL));
        assertThat(Executable.find(byEnvironment.toString(), "/bin")).isEqualTo(new Executable(byEnvironment, SHELL));
    }

    @Test
    void whatCannotBeStartedIsRefusedWithTheReason() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no program");
        assertRefused("no-such-program", "/bin:/usr/bin", "in no directory of PATH");
        assertRefused(directory.resolve("missing").toString(), null, "does not exist");
        assertRefused(directory.toString(), null, "is no file");
        assertRefused(text.toString(), null, "not executable");
        assertRefused("text", directory.toString(), "not executable");
        assertRefused(executable("empty", "").toString(), null, "neither an ELF program nor a script");
        assertRefused(executable("no-line", "#!").toString(), null, "neither an ELF program nor a script");
        assertRefused(executable("gone", "#!/no/such/shell\n").toString(), null, "/no/such/shell does not exist");
    }

    @Test
    void scriptThatIsItsOwnInterpreterIsRefused() throws IOException {
        Path self = executable("self", "#!" + directory.resolve("self") + "\n");

        assertRefused(self.toString(), null, "whose interpreter is a script");
    }
}
