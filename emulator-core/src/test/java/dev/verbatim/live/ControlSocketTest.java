// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ControlSocketTest {

    private static final long OWN = ProcessHandle.current().pid();

    @Test
    void whatAKilledProcessLeftIsRemoved() throws IOException {
        long nobody = 999_999_999_999L;
        ControlSocket.open(command -> "").close();
        Path left = Files.createFile(ControlSocket.of(nobody));
        assertThat(ControlSocket.isOpen(nobody)).isTrue();
        ControlSocket.open(command -> "").close();
        assertThat(left).doesNotExist();
    }

    @Test
    void commandsAreAnsweredUntilItIsClosed() throws IOException {
        try (ControlSocket socket = ControlSocket.open(command -> command.toUpperCase(Locale.ROOT) + "\n");
                Verbatim rdma = Verbatim.inProcess()) {
            rdma.open("controlled");

            assertThat(ControlSocket.isOpen(OWN)).isTrue();
            assertThat(ControlSocket.ask(OWN, "one line")).isEqualTo("ONE LINE\n");
            assertThat(ControlSocket.ask(OWN, "stat")).contains("link controlled/1 sent_pkts 0 ");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                            Path.of(socket.toString()).getParent())))
                    .isEqualTo("rwx------");
        }
        assertThat(ControlSocket.isOpen(OWN)).isFalse();
        assertThatThrownBy(() -> ControlSocket.ask(OWN, "stat")).isInstanceOf(IOException.class);
    }
}
