// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.stat;

import dev.verbatim.cli.demo.HostAndPort;
import dev.verbatim.cli.output.Output;
import dev.verbatim.live.ControlSocket;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code stat}. */
@Command(
        name = "stat",
        description = {
            "Prints the counters of the devices of a running process, as rdma statistic does.",
            "The process has to be started with -Dverbatim.stat=[HOST:]PORT; port 0 is a free port of loopback.",
            "A C program has to be started by 'verbatim exec --control'."
        })
public final class StatCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "PID|HOST:PORT",
            description = "Process of this machine, or the address that it shows them at.")
    private String process;

    @Mixin
    private Output output;

    @Override
    public void run() {
        List<StatClient.Counters> devices = isControlled()
                ? StatClient.parse(process, InjectCommand.ask(Long.parseLong(process), "stat"))
                : StatClient.read(address());
        output.print(devices.stream().map(StatCommand::line).toList(), out -> {
            if (devices.isEmpty()) {
                out.println("no device is open");
            }
            devices.forEach(device -> out.println(text(device)));
        });
    }

    private boolean isControlled() {
        return process.matches("\\d{1,18}") && ControlSocket.isOpen(Long.parseLong(process));
    }

    private InetSocketAddress address() {
        try {
            return HostAndPort.parse(
                    process.matches("\\d{1,18}") ? ProcessAddress.of(Long.parseLong(process)) : process);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + process + "' is neither a process id nor HOST:PORT; write it like 4711"
                            + " or 127.0.0.1:7471");
        }
    }

    private static String text(StatClient.Counters device) {
        StringBuilder line = new StringBuilder("link " + device.device().replaceAll("\\p{Cntrl}", "?") + "/1");
        device.values()
                .forEach((name, value) ->
                        line.append(' ').append(name).append(' ').append(value));
        return line.toString();
    }

    private static Map<String, Object> line(StatClient.Counters device) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", "counters");
        object.put("device", device.device());
        object.put("port", 1);
        object.putAll(device.values());
        return object;
    }
}
