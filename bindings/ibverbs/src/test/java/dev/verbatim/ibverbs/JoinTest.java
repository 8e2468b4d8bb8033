// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.ibverbs.call.Entry;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library joins a JVM that is there already: neither takes classes from the other's class path. */
class JoinTest {

    private static final long LONGEST_SECONDS = 600;

    /** Of a class file; 69 is Java 25. */
    private static final int MAJOR_VERSION_BYTE = 7;

    @Test
    void classPathsOfProgramAndLibraryStayApart(@TempDir Path directory) throws IOException, InterruptedException {
        Map<String, String> environment = CProgram.environment();
        Path library = Path.of(environment.get("LD_LIBRARY_PATH"), "libibverbs.so.1");
        assumeTrue(Files.exists(library), "the library of C is needed for this test");
        // A class of this name that fails when it is used comes first on the class path of the program.
        compileInto(directory, Entry.class);
        Process program = start(directory, environment);

        assertThat(directory.resolve("errors")).isEmptyFile();
        assertThat(directory.resolve("output")).hasContent("verbatim0\ndomain true\nown class true\n");
        assertThat(program.exitValue()).isZero();
    }

    @Test
    void jvmThatIsOlderThanTheLibraryIsToldSoInOneLine(@TempDir Path directory)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(CProgram.environment());
        Path library = Path.of(environment.get("LD_LIBRARY_PATH"), "libibverbs.so.1");
        assumeTrue(Files.exists(library), "the library of C is needed for this test");
        Path newer = directory.resolve("newer");
        Path entry = copyClass(newer, Entry.class);
        byte[] bytes = Files.readAllBytes(entry);
        bytes[MAJOR_VERSION_BYTE] = Byte.MAX_VALUE;
        Files.write(entry, bytes);
        environment.put("VERBATIM_CLASS_PATH", newer.toString());

        Process unused = start(directory, environment);

        assertThat(Files.readString(directory.resolve("errors")).lines())
                .first(as(InstanceOfAssertFactories.STRING))
                .isEqualTo("verbatim: the JVM of this process is older than 22, so that it has no device (ENODEV):"
                        + " start it with JDK 22 or newer");
    }

    /** Runs {@link JoiningProgram} to its end, with what is in the directory before it on its class path. */
    private static Process start(Path directory, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path programs = directory.resolve("programs");
        Path unused = copyClass(programs, JoiningProgram.class);
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx128m",
                        "-cp",
                        directory + File.pathSeparator + programs,
                        JoiningProgram.class.getName(),
                        Path.of(environment.get("LD_LIBRARY_PATH"), "libibverbs.so.1")
                                .toString(),
                        Entry.class.getName())
                .redirectOutput(directory.resolve("output").toFile())
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().putAll(environment);
        Process program = builder.start();
        assertThat(program.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS))
                .as("ended")
                .isTrue();
        return program;
    }

    private static void compileInto(Path directory, Class<?> of) throws IOException {
        Path source = directory.resolve("sources").resolve(of.getName().replace('.', '/') + ".java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, """
                package %s;

                public final class Entry {
                    public static final boolean OWN = true;

                    public static long call(int what, long table) {
                        throw new IllegalStateException("the program's own class was taken");
                    }
                }
                """.formatted(of.getPackageName()), StandardCharsets.UTF_8);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", directory.toString(), source.toString());
        assertThat(status).isZero();
    }

    private static Path copyClass(Path to, Class<?> of) throws IOException {
        String file = of.getName().replace('.', '/') + ".class";
        Path target = to.resolve(file);
        Files.createDirectories(target.getParent());
        try (var bytes = of.getClassLoader().getResourceAsStream(file)) {
            Files.copy(java.util.Objects.requireNonNull(bytes), target);
        }
        return target;
    }
}
