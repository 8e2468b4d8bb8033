// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LongTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The README says what is so. */
@Tag("smoke")
class ReadmeTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final Path EXAMPLE =
            PROJECT.resolve("examples/consumer/src/main/java/org/example/consumer/Main.java");
    private static final Path TWO_JVMS =
            PROJECT.resolve("examples/consumer/src/main/java/org/example/consumer/TwoJvms.java");
    private static final Path IN_C = PROJECT.resolve("lab/interop/write.c");
    private static final Path WINDOW_EXAMPLE =
            PROJECT.resolve("examples/consumer/src/main/java/org/example/consumer/Window.java");

    private static final int MOST_LINES = 200;

    private final String readme = read(PROJECT.resolve("README.md"));
    private final String java = read(PROJECT.resolve("docs/java.md"));
    private final String traces = read(PROJECT.resolve("docs/traces.md"));

    @Test
    void readmeIsShort() {
        assertThat(readme.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
    }

    @Test
    void examplesAreThoseThatTheConsumerCompilesAndRuns() {
        assertThat(blocks(java, "java")).containsExactly(quoted(EXAMPLE), quoted(TWO_JVMS), quoted(WINDOW_EXAMPLE));
        assertThat(blocks(java, "c")).containsExactly(quoted(IN_C));
    }

    private static String quoted(Path file) {
        String source = read(file);
        String begin = "// README begins\n";
        return source.substring(source.indexOf(begin) + begin.length(), source.indexOf("// README ends"))
                        .stripTrailing()
                        .stripIndent()
                + "\n";
    }

    @Test
    void failingTestIsShortAndFailsAsShown(@TempDir Path classes) throws Exception {
        String test = blocks(readme, "java").get(0);
        assertThat(test.lines()).hasSizeLessThanOrEqualTo(20);
        assertThat(failures(test, classes))
                .singleElement()
                .satisfies(failure -> assertThat(failure.getMessage())
                        .startsWith(blocks(readme, "console").get(1)));
    }

    @Test
    @LongTest
    void exampleOfVisibilityFailsAtTheLoadOfItsKernel(@TempDir Path classes) throws Exception {
        String test =
                blocks(read(PROJECT.resolve("docs/visibility.md")), "java").get(0);
        assertThat(failures(test, classes))
                .singleElement()
                .satisfies(failure -> assertThat(failure.getMessage()).contains("expected: <42> but was: <0>"));
    }

    /** What a test class of a document fails with, whose name is one that Surefire runs. */
    private static List<Throwable> failures(String text, Path classes) throws Exception {
        String test = all(text, "(?m)^class (\\w+Test) ").findFirst().orElseThrow();
        Path source = Files.writeString(classes.resolve(test + ".java"), text);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(compiled).isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, ReadmeTest.class.getClassLoader())) {
            return run(loader.loadClass(test));
        }
    }

    private static List<Throwable> run(Class<?> test) {
        List<Throwable> failures = new ArrayList<>();
        // Without the listeners of this build: what fails here is no failure of it.
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(alone)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(test))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
                                result.getThrowable().ifPresent(failures::add);
                            }
                        });
        return failures;
    }

    @Test
    @LongTest
    void examplesPrintWhatIsShown(@TempDir Path elsewhere) throws IOException {
        assertThat(blocks(java, "console"))
                .containsExactly(
                        printedBy(EXAMPLE, elsewhere),
                        printedByServer(elsewhere),
                        printedBy(WINDOW_EXAMPLE, elsewhere));
    }

    private static String printedBy(Path example, Path elsewhere) throws IOException {
        try (BufferedReader out = start(example, elsewhere).inputReader(StandardCharsets.UTF_8)) {
            return out.lines().map(line -> line + "\n").collect(Collectors.joining());
        }
    }

    /** Two JVMs, at a free port instead of the one that is shown. */
    private static String printedByServer(Path elsewhere) throws IOException {
        try (BufferedReader server = start(TWO_JVMS, elsewhere, "server", "0").inputReader(StandardCharsets.UTF_8)) {
            String listening = server.readLine();
            String port = listening.substring(listening.lastIndexOf(':') + 1);
            try (BufferedReader client =
                    start(TWO_JVMS, elsewhere, "client", port).inputReader(StandardCharsets.UTF_8)) {
                assertThat(client.lines()).singleElement().asString().startsWith("wr_id=1 SUCCESS RDMA_WRITE");
            }
            return listening.replace(port, "7471") + "\n" + server.lines().collect(Collectors.joining("\n")) + "\n";
        }
    }

    private static Process start(Path example, Path elsewhere, String... arguments) throws IOException {
        // Away from the consumer's module-info, since here the class path is at hand and the module path is not.
        Path alone = elsewhere.resolve("org/example/consumer").resolve(example.getFileName());
        Files.createDirectories(alone.getParent());
        Files.copy(example, alone, StandardCopyOption.REPLACE_EXISTING);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                alone.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void eachOfTheTwoJvmsTakesTenLines() {
        assertThat(quoted(TWO_JVMS).lines().filter(line -> line.startsWith("        ")))
                .hasSize(20);
    }

    @Test
    void drawingIsTakenFromTheDemo() throws IOException {
        try (InputStream demo = ReadmeTest.class.getResourceAsStream("demo-in-process.txt")) {
            String told = new String(demo.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(blocks(traces, "text"))
                    .last()
                    .satisfies(block -> assertThat(told).contains(block));
        }
    }

    @Test
    void coordinatesAreThoseOfTheBuild() {
        String version = Invocation.of("--version").out().lines().findFirst().orElseThrow();
        List<String> versions = all(readme, "<version>(.+)</version>").toList();
        assertThat(versions).hasSize(1).allSatisfy(named -> assertThat(version).isEqualTo("verbatim " + named));
        String published = read(PROJECT.resolve("lab/bom/pom.xml"));
        assertThat(all(readme, "(<artifactId>.+</artifactId>)"))
                .isNotEmpty()
                .allSatisfy(artifact -> assertThat(published).contains(artifact));
    }

    @Test
    void everyDocumentIsInTheList() throws IOException {
        String list = read(PROJECT.resolve("docs/README.md"));
        try (Stream<Path> documents = Files.list(PROJECT.resolve("docs"))) {
            assertThat(documents
                            .map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".md") && !name.equals("README.md")))
                    .hasSizeGreaterThan(20)
                    .allSatisfy(name -> assertThat(list).contains("](" + name + ")"));
        }
    }

    private static List<String> blocks(String document, String language) {
        return all(document, "(?s)```" + language + "\n(.*?)```").toList();
    }

    private static Stream<String> all(String document, String pattern) {
        return Pattern.compile(pattern).matcher(document).results().map((MatchResult match) -> match.group(1));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }
}
