// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.stat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.live.ControlSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code inject}. */
@Command(
        name = "inject",
        description = {
            "Lets something fail in a running C program, which was started by 'verbatim exec --control'.",
            "The fault is a line as of 'exec --fault'; its steps are counted from now on. See docs/c-programs.md."
        })
public final class InjectCommand implements Runnable {

    private static final String ERROR = "error ";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PID", description = "Process of this machine and user.")
    private long process;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FAULT",
            description = "For example: event type=PORT_ERR, or complete status=RETRY_EXC_ERR nth=3.")
    private List<String> words = List.of();

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    private InjectCommand() {}

    @Override
    public void run() {
        String answer = ask(process, "inject " + String.join(" ", words));
        if (answer.startsWith(ERROR)) {
            throw new StatException(answer.substring(ERROR.length()).strip());
        }
        spec.commandLine().getOut().println(json ? asJson() : answer.strip());
    }

    private String asJson() {
        try {
            return JSON.std.asString(Map.of("kind", "injected", "process", process, "fault", String.join(" ", words)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The answer of a process. */
    static String ask(long pid, String command) {
        try {
            return ControlSocket.ask(pid, command);
        } catch (IOException e) {
            throw new StatException(
                    "process " + pid + " takes no commands; start it by 'verbatim exec --control -- PROGRAM'");
        }
    }
}
