// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.stat;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.live.ControlSocket;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code inject}. */
@Command(
        name = "inject",
        description = {
            "Lets something fail in a running C program, which was started by 'verbatim exec --control'.",
            "The fault is a line as of 'exec --fault'; its steps are counted from now on. See docs/c-programs.md."
        })
public final class InjectCommand implements Runnable {

    private static final String ERROR = "error ";

    @Parameters(index = "0", paramLabel = "PID", description = "Process of this machine and user.")
    private long process;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FAULT",
            description = "For example: event type=PORT_ERR, or complete status=RETRY_EXC_ERR nth=3.")
    private List<String> words = List.of();

    @Mixin
    private Output output;

    private InjectCommand() {}

    @Override
    public void run() {
        String answer = ask(process, "inject " + String.join(" ", words));
        if (answer.startsWith(ERROR)) {
            throw new CommandFailure(answer.substring(ERROR.length()).strip());
        }
        output.print(List.of(new Injected(process, String.join(" ", words))), out -> out.println(answer.strip()));
    }

    private record Injected(long process, String fault) implements Line {}

    /** The answer of a process. */
    static String ask(long pid, String command) {
        try {
            return ControlSocket.ask(pid, command);
        } catch (IOException e) {
            throw new CommandFailure(
                    "process " + pid + " takes no commands; start it by 'verbatim exec --control -- PROGRAM'");
        }
    }
}
