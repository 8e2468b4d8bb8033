// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Every block of code in README, docs and the READMEs of the examples is checked: Java compiles, command lines are those of the commands, YAML
 * is read, and what programs print is made or compared by the test that {@link #COMPARED} names. A block of a kind that nobody checks fails.
 */
class DocumentBlocksTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    /** What a block begins with, and the test that has the name of its document and compares it. */
    private static final Map<String, String> COMPARED = compared();

    /** Documents whose Java is quoted from a program that is run, as their tests see. */
    private static final Set<String> QUOTED =
            Set.of("README.md", "docs/java.md", "docs/memory-windows.md", "docs/visibility.md");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```(\\w*)\\n(.*?)^ *```");

    /** Names that blocks of Java use and do not declare. */
    private static final Map<String, String> CONTEXT = context();

    private static final Set<String> PROGRAMS = Set.of(
            "cc",
            "eval",
            "git",
            "ibv_devinfo",
            "java",
            "jcmd",
            "jfr",
            "modprobe",
            "mvn",
            "openssl",
            "rdma",
            "spark-submit",
            "tar",
            "(umask",
            "lab/interop/run",
            "lab/dist/stage",
            "examples/consumer/run",
            "lab/dist/check-artifacts");

    private record Block(String document, String language, String text) {

        String first() {
            return text.strip().lines().findFirst().orElse("");
        }

        @Override
        public String toString() {
            return document + ": " + first();
        }
    }

    private static Map<String, String> compared() {
        Map<String, String> compared = new LinkedHashMap<>();
        compared.put("docs/c-programs.md", "ExplainedProgramTest");
        compared.put("docs/debugging-c.md", "DebuggingGuideTest");
        compared.put("docs/java.md", "ReadmeTest");
        compared.put("docs/litmus.md", "LitmusGenerateTest");
        compared.put("docs/live.md", "StatCommandTest");
        compared.put("docs/memory-windows.md", "WindowGuideTest");
        compared.put("docs/oracle.md", "OrderTest");
        compared.put("docs/sanitizer.md", "LitmusCommandTest");
        compared.put("docs/scenarios.md", "ScenarioGuideTest");
        compared.put("docs/teaching.md", "LessonTest");
        compared.put("docs/testing.md", "FailureInWordsTest");
        compared.put("docs/traces.md", "ReadmeTest");
        compared.put("README.md", "ReadmeTest");
        return compared;
    }

    private static Map<String, String> context() {
        Map<String, String> context = new LinkedHashMap<>();
        context.put("device", "dev.verbatim.verbs.Device");
        context.put("pd", "dev.verbatim.verbs.ProtectionDomain");
        context.put("cq", "dev.verbatim.verbs.CompletionQueue");
        context.put("region", "dev.verbatim.verbs.MemoryRegion");
        context.put("memory", "dev.verbatim.verbs.Memory");
        context.put("patience", "java.time.Duration");
        context.put("there", "java.net.InetSocketAddress");
        context.put("listener", "dev.verbatim.cm.ListeningEndpoint");
        context.put("attributes", "dev.verbatim.verbs.QpInitAttributes");
        context.put("schedule", "dev.verbatim.sim.Schedule");
        context.put("options", "dev.verbatim.sim.SimulationOptions");
        context.put("verbatim", "dev.verbatim.Verbatim");
        context.put("rdma", "dev.verbatim.Verbatim");
        context.put("sanitizer", "dev.verbatim.sanitizer.Sanitizer");
        context.put("queue", "java.util.Queue<Object>");
        return context;
    }

    private static List<Block> blocks(String language) throws IOException {
        List<Path> documents =
                new ArrayList<>(List.of(PROJECT.resolve("README.md"), PROJECT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"), 2);
                Stream<Path> examples = Files.list(PROJECT.resolve("examples"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
            examples.map(example -> example.resolve("README.md"))
                    .filter(Files::exists)
                    .sorted()
                    .forEach(documents::add);
        }
        List<Block> blocks = new ArrayList<>();
        for (Path document : documents) {
            BLOCK.matcher(Files.readString(document).replace("\r\n", "\n"))
                    .results()
                    .map(found -> new Block(
                            PROJECT.relativize(document).toString().replace('\\', '/'), found.group(2), found.group(3)))
                    .filter(block -> language.equals("*") || block.language().equals(language))
                    .forEach(blocks::add);
        }
        return blocks;
    }

    @Test
    void everyBlockIsOfAKindThatIsChecked() throws IOException {
        List<Block> unknown = blocks("*").stream()
                .filter(block ->
                        !List.of("java", "yaml", "sh", "drawing", "dockerfile").contains(block.language()))
                .filter(block -> !COMPARED.containsKey(block.document()))
                .toList();
        assertThat(unknown).isEmpty();
    }

    @Test
    void testsThatCompareNameTheDocument() throws IOException {
        Map<String, Path> tests = new LinkedHashMap<>();
        try (Stream<Path> all = Files.walk(PROJECT, 12)) {
            all.filter(file -> file.toString().endsWith("Test.java"))
                    .forEach(file -> tests.put(file.getFileName().toString().replace(".java", ""), file));
        }
        COMPARED.forEach((document, test) -> assertThat(tests.get(test))
                .as("%s for %s", test, document)
                .isNotNull()
                .content()
                .contains(document.replaceFirst(".*/", "")));
    }

    @Test
    void yamlIsRead() throws IOException {
        assertThat(blocks("yaml"))
                .hasSizeGreaterThan(30)
                .allSatisfy(block -> assertThat(new Load(LoadSettings.builder().build()).loadFromString(block.text()))
                        .as(block.toString())
                        .isNotNull());
    }

    /** Options and names are there; what the commands do is for their tests. */
    @Test
    void commandLinesAreThoseOfTheCommands() throws IOException {
        Set<String> wrong = new TreeSet<>();
        for (Block block : blocks("sh")) {
            for (String line : block.text().replace("\\\n", " ").lines().toList()) {
                String command = line.strip().replaceFirst("(^|\\s+)#.*$", "").replaceFirst("^\\$ ", "");
                if (!command.isEmpty()) {
                    String mistake = mistakeIn(command);
                    if (mistake != null) {
                        wrong.add(block.document() + ": " + command + ": " + mistake);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String mistakeIn(String command) throws IOException {
        String[] words = command.split("\\s+");
        String program = words[0];
        if (program.equals("./verbatim")
                || program.equals("bin/verbatim")
                || program.matches("verbatim|[^=]*/bin/verbatim")) {
            return parsed(Arrays.stream(words)
                    .skip(1)
                    .takeWhile(word -> !word.matches("[>|&].*"))
                    .toArray(String[]::new));
        }
        if (program.equals("./mvnw")) {
            return modulesOf(words);
        }
        boolean isKnown = PROGRAMS.contains(program) || program.matches("[A-Z_]+=.*");
        return isKnown || Files.isExecutable(PROJECT.resolve(program)) ? null : "nobody knows this program";
    }

    private static String parsed(String... words) {
        if (words.length > 0 && words[0].equals("exec")) {
            return null; // ExecTest has its options
        }
        try {
            CommandLine line = Main.commandLine(words);
            line.parseArgs(words);
            return null;
        } catch (ParameterException e) {
            return e.getMessage();
        }
    }

    private static String modulesOf(String... words) {
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].equals("-pl")) {
                for (String module : words[i + 1].split(",")) {
                    if (!Files.exists(PROJECT.resolve(module).resolve("pom.xml"))) {
                        return "there is no module " + module;
                    }
                }
            }
        }
        return null;
    }

    @Test
    @LongTest
    void javaCompiles(@TempDir Path directory) throws IOException {
        List<String> files = new ArrayList<>();
        Map<String, Block> origins = new LinkedHashMap<>();
        for (Block block : blocks("java").stream()
                .filter(each -> !QUOTED.contains(each.document()))
                .toList()) {
            for (String part : parts(block)) {
                String name = "Block" + files.size();
                Path file = directory.resolve(name + ".java");
                Files.writeString(file, sourceOf(name, part));
                origins.put(name, block);
                files.add(file.toString());
            }
        }
        assertThat(files).hasSizeGreaterThan(10);
        List<String> words = new ArrayList<>(
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", directory.toString()));
        words.addAll(files);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        words.subList(0, 5),
                        null,
                        compiler.getStandardFileManager(null, null, null)
                                .getJavaFileObjects(files.toArray(String[]::new)))
                .call();
        assertThat(compiled).as("%s of %s", said, origins).isTrue();
    }

    /** A block of two processes is two programs, and a test class is one as it is. */
    private static List<String> parts(Block block) {
        return Arrays.stream(block.text().split("(?m)^// (?=The other|Both)"))
                .filter(part -> !part.isBlank() && !part.startsWith("Both"))
                .map(part -> part.startsWith("The other") ? "// " + part : part)
                .toList();
    }

    private static String sourceOf(String name, String text) throws IOException {
        if (text.contains("\nclass ") || text.contains("public static void main")) {
            return text.replaceFirst("\nclass \\w+ ", "\nclass " + name + " ");
        }
        String code = text.replaceAll("(?m)(^|\\{) *\\.\\.\\. *(}|$)", "$1$2");
        List<String> parameters = new ArrayList<>();
        CONTEXT.forEach((word, type) -> {
            boolean isUsed = Pattern.compile("\\b" + word + "\\b").matcher(code).find();
            boolean isDeclared = Pattern.compile("[\\w>] " + word + "( =|;| :|,|\\))")
                    .matcher(code)
                    .find();
            if (isUsed && !isDeclared) {
                parameters.add(type + " " + word);
            }
        });
        boolean isMember = code.matches("(?s)\\s*(@\\w+(\\(.*?\\))?\\s+)*(static )?void .*");
        String body = isMember
                ? code
                : "static void run(" + String.join(", ", parameters) + ") throws Exception {\n" + code + "\n}";
        return imports() + "class " + name + " {\n" + body + "\n}\n";
    }

    private static String imports() throws IOException {
        StringBuilder imports = new StringBuilder("import static org.junit.jupiter.api.Assertions.*;\n"
                + "import org.junit.jupiter.api.Test;\nimport java.io.*;\nimport java.net.*;\nimport java.nio.file.*;\n"
                + "import java.time.*;\nimport java.util.*;\n");
        for (String each : List.of(
                "dev.verbatim",
                "dev.verbatim.verbs",
                "dev.verbatim.cm",
                "dev.verbatim.sim",
                "dev.verbatim.fabric",
                "dev.verbatim.junit",
                "dev.verbatim.networkdirect",
                "dev.verbatim.profile",
                "dev.verbatim.sanitizer",
                "dev.verbatim.trace",
                "dev.verbatim.visibility",
                "dev.verbatim.conformance.oracle",
                "dev.verbatim.transport.netty",
                "dev.verbatim.transport.netty.roce")) {
            imports.append("import ").append(each).append(".*;\n");
        }
        return imports.toString();
    }
}
