// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of structs says what the compiler says of the installed headers. */
class LayoutsTest {

    private static final String HEADERS = """
            #define _GNU_SOURCE
            #include <infiniband/verbs.h>
            #include <infiniband/ib.h>
            #include <infiniband/sa.h>
            #include <rdma/ib_user_sa.h>
            #include <rdma/ib_user_verbs.h>
            #include <rdma/rdma_cma.h>
            #include <netdb.h>
            #include <poll.h>
            #include <stddef.h>
            #include <stdio.h>
            #include <sys/socket.h>
            #include <sys/time.h>
            #include <sys/uio.h>
            #define OF(s, f) printf(#s " " #f " %zu %zu\\n", offsetof(struct s, f), sizeof(((struct s *)0)->f));
            int main(void) {
            """;

    @Test
    void eachSizeAndOffsetIsThatOfTheHeaders(@TempDir Path directory) throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/include/rdma/rdma_cma.h")) && Files.exists(Path.of("/usr/bin/cc")),
                "cc, libibverbs-dev and librdmacm-dev are needed for this test");
        List<String> lines = new ArrayList<>();
        StringBuilder program = new StringBuilder(HEADERS);
        for (Class<?> struct : structs()) {
            String name = struct.getSimpleName();
            lines.add(name + " " + struct.getField("SIZE").getInt(null));
            program.append("printf(\"")
                    .append(name)
                    .append(" %zu\\n\", sizeof(struct ")
                    .append(name)
                    .append("));\n");
            for (java.lang.reflect.Field field : struct.getFields()) {
                if (Field.class.isAssignableFrom(field.getType())) {
                    Field layout = (Field) field.get(null);
                    String path = field.getName().replace('$', '.');
                    lines.add(name + " " + path + " " + layout.offset() + " " + layout.sizeBytes());
                    program.append("OF(").append(name).append(", ").append(path).append(")\n");
                }
            }
        }
        program.append("return 0; }\n");
        assertThat(lines).hasSizeGreaterThan(200);

        assertThat(run(directory, program.toString())).isEqualTo(lines);
    }

    private static List<Class<?>> structs() {
        return Arrays.stream(Layouts.class.getDeclaredClasses())
                .filter(type -> Modifier.isPublic(type.getModifiers()))
                .filter(type -> !type.isAnnotationPresent(Since.class)) // headers of older releases lack them
                .toList();
    }

    private static List<String> run(Path directory, String program) throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("layouts.c"), program);
        Path binary = directory.resolve("layouts");
        Process compiler = new ProcessBuilder("cc", "-o", binary.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        Path output = directory.resolve("output");
        Process printer = new ProcessBuilder(binary.toString())
                .redirectOutput(output.toFile())
                .start();
        assertThat(printer.waitFor()).isZero();
        return Files.readAllLines(output);
    }
}
