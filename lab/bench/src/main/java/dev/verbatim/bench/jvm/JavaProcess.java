// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.bench.plan.BenchFailure;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Other JVMs like this one. */
public final class JavaProcess {

    private static final List<String> WATCHERS = List.of("-agent", "-javaagent", "-XX:StartFlightRecording");

    private JavaProcess() {}

    /** Starts one: the same Java, the same options, the same class path, no shell; what it complains of is seen here. */
    public static Process start(Class<?> main, String... args) {
        return start(List.of(), System.getProperty("java.class.path"), main, args);
    }

    /** Starts one with options that come last, and another class path. */
    public static Process start(List<String> addedOptions, String classPath, Class<?> main, String... args) {
        String java = ProcessHandle.current()
                .info()
                .command()
                .orElseGet(() -> System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        List<String> command = new ArrayList<>();
        command.add(java);
        command.addAll(options(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        command.addAll(addedOptions);
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
        command.addAll(List.of(args));
        try {
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new BenchFailure("cannot start a second JVM: " + e.getMessage() + "; see whether " + java
                    + " runs, or stay in one by --fabric in-process");
        }
    }

    /** Agents, debuggers and recordings watch one JVM. */
    static List<String> options(List<String> ofThisJvm) {
        return ofThisJvm.stream()
                .filter(option -> WATCHERS.stream().noneMatch(option::startsWith))
                .toList();
    }
}
