// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The list of symbols, the library that is made of it, and the methods that answer agree. */
class SymbolsTest {

    private static final Path LIST = Path.of("src/main/native/symbols.txt");
    private static final int MOST_PARAMETERS = 6;

    private record Line(String name, String fails, String where, List<String> versions) {}

    private static List<Line> lines() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String line : Files.readAllLines(LIST)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> words = List.of(line.strip().split("\\s+", -1));
                lines.add(new Line(words.get(0), words.get(1), words.get(2), words.subList(3, words.size())));
            }
        }
        return lines;
    }

    @Test
    void eachFunctionOfJavaHasItsMethod() throws Exception {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        for (Line line : lines()) {
            if (line.where().contains(".")) {
                Fails fails = Fails.valueOf(line.fails().toUpperCase(Locale.ROOT));
                Method method = Linking.methodOf(new Symbol(line.where(), line.name(), fails));
                boolean isVoid = method.getReturnType() == void.class;
                boolean isPointer = method.getReturnType() == long.class;
                if (method.getParameterCount() > MOST_PARAMETERS
                        || isVoid != (fails == Fails.VOID)
                        || (fails == Fails.NULL && !isPointer)) {
                    wrong.add(line + " is answered by " + method);
                }
                checked++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(200);
    }

    @Test
    void libraryExportsEachSymbolOfTheInstalledOnes() throws Exception {
        Path installed = Path.of("/usr/lib/x86_64-linux-gnu/libibverbs.so.1");
        assumeTrue(
                Files.exists(installed) && Files.exists(Path.of("/usr/bin/readelf")),
                "libibverbs1, librdmacm1 and readelf are needed for this test");
        Path own = Path.of(System.getProperty("verbatim.native"), "x86_64", "libverbatim.so");

        Set<String> exported = symbols(own);
        assertThat(exported)
                .containsAll(symbols(installed))
                .containsAll(symbols(installed.resolveSibling("librdmacm.so.1")));
        for (Line line : lines()) {
            for (String version : line.versions()) {
                boolean isPrivate = version.equals("IBVERBS_PRIVATE");
                for (String node : isPrivate ? List.of("25", "34", "57", "59", "65") : List.of("")) {
                    assertThat(exported).contains(line.name() + "@" + version + (isPrivate ? "_" + node : ""));
                }
            }
        }
    }

    private static Set<String> symbols(Path library) throws IOException {
        Process reader = new ProcessBuilder("readelf", "--dyn-syms", "-W", library.toString()).start();
        Set<String> symbols = new TreeSet<>();
        for (String line : new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            List<String> words = List.of(line.strip().split("\\s+", -1));
            if (words.size() == 8 && !words.get(6).equals("UND") && words.get(7).contains("@")) {
                symbols.add(words.get(7).replace("@@", "@"));
            }
        }
        return symbols;
    }
}
