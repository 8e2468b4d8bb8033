// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of symbols, the library that is made of it, and the methods that answer agree. */
class SymbolsTest {

    private static final Path LIST = Path.of("src/main/native/symbols.txt");
    private static final Path ANSWERS = Path.of("src/main/java/dev/verbatim/ibverbs");
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
        for (Symbol symbol : symbolsOfJava().toList()) {
            Method method = methodOf(symbol);
            boolean isVoid = method.getReturnType() == void.class;
            boolean isPointer = method.getReturnType() == long.class;
            if (method.getParameterCount() > MOST_PARAMETERS
                    || isVoid != (symbol.fails() == Fails.VOID)
                    || (symbol.fails() == Fails.NULL && !isPointer)) {
                wrong.add(symbol + " is answered by " + method);
            }
            checked++;
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(200);
    }

    /** The classes that call the methods are made here: with {@code -Dverbatim.update=true} they are written anew. */
    @Test
    void packagesAnswerTheirFunctions() throws Exception {
        Symbol[] symbols = symbolsOfJava().toArray(Symbol[]::new);
        for (String name :
                new TreeSet<>(symbolsOfJava().map(Symbol::packageName).toList())) {
            String wanted = answers(name, symbols);
            Path file = ANSWERS.resolve(name).resolve(Linking.classOf(name) + ".java");
            if (Boolean.getBoolean("verbatim.update")) {
                Files.writeString(file, wanted);
            }
            assertThat(file).as("run this test with -Dverbatim.update=true").hasContent(wanted);
        }
    }

    private static Stream<Symbol> symbolsOfJava() throws IOException {
        return lines().stream()
                .filter(line -> line.where().contains("."))
                .map(line -> new Symbol(
                        line.where() + "." + line.name(),
                        Fails.valueOf(line.fails().toUpperCase(Locale.ROOT))));
    }

    private static String answers(String packageName, Symbol[] symbols) throws Exception {
        Map<String, StringBuilder> cases = new TreeMap<>();
        for (int index = 0; index < symbols.length; index++) {
            if (symbols[index].packageName().equals(packageName)) {
                String line = caseOf(index, symbols[index]);
                cases.computeIfAbsent(symbols[index].className(), any -> new StringBuilder())
                        .append(line);
            }
        }
        StringBuilder classes = new StringBuilder();
        cases.forEach((name, lines) -> classes.append("""

                    public static final class Of%s extends Answers {
                        @Override
                        protected long call(int index, long a, long b, long c, long d, long e, long f) {
                            return switch (index) {
                %s                default -> throw new IllegalArgumentException("index=" + index);
                            };
                        }
                    }
                """.formatted(name, lines)));
        return """
                // Copyright 2026 The Verbatim Authors
                // SPDX-License-Identifier: Apache-2.0
                package dev.verbatim.ibverbs.%s;

                import dev.verbatim.ibverbs.call.Answers;

                /** Made by SymbolsTest of symbols.txt. */
                public final class %s {

                    public static final int SYMBOLS = %d;

                    private %s() {}
                %s}
                """.formatted(
                        packageName,
                        Linking.classOf(packageName),
                        Linking.hashOf(symbols),
                        Linking.classOf(packageName),
                        classes);
    }

    private static String caseOf(int index, Symbol symbol) throws ReflectiveOperationException {
        Method method = methodOf(symbol);
        List<String> with = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            with.add((type == int.class ? "(int) " : "") + (char) ('a' + with.size()));
        }
        String call = symbol.className() + "." + symbol.name() + "(" + String.join(", ", with) + ");";
        String indent = " ".repeat(16);
        return method.getReturnType() == void.class
                ? String.format(
                        "%scase %d -> {%n%s    %s%n%s    yield 0;%n%s}%n", indent, index, indent, call, indent, indent)
                : String.format("%scase %d -> %s%n", indent, index, call);
    }

    /** The method that answers a function. */
    private static Method methodOf(Symbol symbol) throws ReflectiveOperationException {
        for (Method method :
                Class.forName("dev.verbatim.ibverbs." + symbol.where()).getDeclaredMethods()) {
            if (method.getName().equals(symbol.name()) && Modifier.isStatic(method.getModifiers())) {
                return method;
            }
        }
        throw new NoSuchMethodException(symbol.where() + "." + symbol.name());
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
