// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.ibverbs.CProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Mistakes of C++ are told with lines of the program, and not of the headers and libraries that it came through. */
class PlacesTest {

    private static final Path SOURCE = Path.of("src/test/c/places.cc");
    private static final Map<String, String> SANITIZED =
            Map.of("VERBATIM_SANITIZE", "yes", "LD_PRELOAD", CProgram.library("libverbatim-memory.so"));

    private static List<String> placesOf(CProgram program) throws IOException, InterruptedException {
        return program.run(SANITIZED)
                .errors()
                .lines()
                .filter(line -> line.startsWith("    and "))
                .map(line -> line.replaceAll(", called at .*", "").replaceAll("^    and +(.*/)?", ""))
                .toList();
    }

    private static int lineWith(String word) throws IOException {
        List<String> lines = Files.readAllLines(SOURCE);
        return 1
                + IntStream.range(0, lines.size())
                        .filter(i -> lines.get(i).contains(word))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void linesAreTheProgramsWhateverTheCompilerInlines() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/c++")) && Files.exists(Path.of("/usr/bin/addr2line")));
        for (String optimization : List.of("-O0", "-O2")) {
            List<String> places = placesOf(CProgram.compile("places.cc", optimization));

            assertThat(places).as(optimization).hasSize(4);
            assertThat(places.get(0)).startsWith("places.cc:" + lineWith("// GROW") + " (grow");
            assertThat(places.get(1))
                    .matches("places.cc:" + lineWith("struct Registered") + " \\(Registered<.*~Registered\\(\\)\\)");
            assertThat(places.get(2)).startsWith("places.cc:" + lineWith("// ERASE") + " (erase");
            assertThat(places.get(3))
                    .startsWith("places.cc:" + lineWith("// LAMBDA"))
                    .contains("operator()");
        }
    }

    @Test
    void functionThatDoesNotHaveTheAddressIsNotNamed() throws IOException, InterruptedException {
        assertThat(placesOf(CProgram.compile("places.cc", "-s")))
                .hasSize(4)
                .allMatch(place -> place.matches("placesc\\+0x[0-9a-f]+"));
    }
}
