// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.live.ControlSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class InjectCommandTest {

    private static final String OWN = String.valueOf(ProcessHandle.current().pid());

    @Test
    void faultIsGivenToTheProcessAndItsRefusalIsSaid() {
        try (ControlSocket socket = ControlSocket.open(
                command -> command.equals("inject event type=PORT_ERR") ? "injected\n" : "error no such fault\n")) {
            assertThat(socket.toString()).endsWith("/" + OWN + ".socket");
            assertThat(Invocation.of("inject", OWN, "event", "type=PORT_ERR")
                            .succeeded()
                            .out())
                    .isEqualTo("injected\n");
            assertThat(Invocation.of("inject", OWN, "event type=PORT_ERR", "--json")
                            .succeeded()
                            .out())
                    .contains("\"kind\":\"injected\"", "\"process\":" + OWN, "\"fault\":\"event type=PORT_ERR\"");
            Invocation.of("inject", OWN, "evnt").failed(1, "no such fault");
        }
        Invocation.of("inject", OWN, "event", "type=PORT_ERR")
                .failed(1, "process " + OWN + " takes no commands", "exec --control");
    }

    @Test
    void countersOfAProcessThatTakesCommandsAreAskedThere() {
        try (ControlSocket socket = ControlSocket.open(command -> "");
                Verbatim rdma = Verbatim.inProcess()) {
            rdma.open("asked by command");
            assertThat(socket.toString()).contains(OWN);
            assertThat(Invocation.of("stat", OWN).succeeded().out()).contains("link asked by command/1 sent_pkts 0 ");
        }
    }
}
