// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What CONTRIBUTING and docs/internals say of the code: files and types that they name exist, links lead somewhere, and the files of a recipe
 * have all events, faults and commands that there are.
 */
class RecipesTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final Path RECIPES = PROJECT.resolve("CONTRIBUTING.md");
    private static final Path INTERNALS = PROJECT.resolve("docs/internals");

    private static final Pattern CODE = Pattern.compile("(?<!`)`([^`\n]+)`(?!`)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern STEP = Pattern.compile("(?ms)^\\d\\. (.*?)(?=^\\d\\. |^$|\\z)");
    private static final Pattern DATE = Pattern.compile("\\b20\\d\\d-\\d\\d-\\d\\d\\b");
    private static final Pattern HELD = Pattern.compile("(?m)^Held by (.+)\\.$");

    /** A type, with words of its package before it, and members behind it. */
    private static final Pattern TYPE = Pattern.compile("(?:[a-z]\\w*\\.)*([A-Z][a-z]\\w*)(?:[.#(].*)?");

    private static final Pattern DECLARED =
            Pattern.compile("(?m)^[\\w@\\s-]*\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
    private static final Pattern FILE = Pattern.compile("[\\w./-]+\\.(?:java|mjs|tsv|md|txt|c|S|yaml)");

    /** Names of others. */
    private static final Set<String> FOREIGN =
            Set.of("ByteBuffer", "InternalError", "SslHandler", "FileRegion", "Unreleased", "Error", "Native");

    private static final List<String> HEADINGS = List.of(
            "Adding an operation",
            "Adding or changing a rule",
            "Adding a fault",
            "Adding a command",
            "Adding an event of the trace");

    private static final List<Path> FILES = new ArrayList<>();

    /** The files that declare a type, by its simple name. */
    private static final Map<String, Set<Path>> TYPES = new TreeMap<>();

    @BeforeAll
    static void readTheTree() throws IOException {
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                Path name = directory.getFileName();
                boolean isSource = !name.toString().equals("target")
                        && (!name.toString().startsWith(".") || directory.equals(PROJECT));
                return isSource ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                FILES.add(file);
                if (file.toString().endsWith(".java")) {
                    DECLARED.matcher(Files.readString(file))
                            .results()
                            .forEach(type -> TYPES.computeIfAbsent(type.group(1), name -> new LinkedHashSet<>())
                                    .add(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Test
    void thereAreFiveRecipes() throws IOException {
        assertThat(recipes()).containsOnlyKeys(HEADINGS);
        recipes().forEach((heading, text) -> {
            assertThat(steps(text)).as(heading).hasSizeGreaterThan(2);
            assertThat(HELD.matcher(text).results().flatMap(held -> named(held.group(1))))
                    .as("tests that hold '%s'", heading)
                    .isNotEmpty()
                    .allSatisfy(test -> assertThat(test).endsWith("Test"))
                    .allSatisfy(test -> assertThat(filesOf(test)).isNotEmpty());
        });
    }

    /** Each step leads to a file, or to what is done with the others. */
    @Test
    void stepsOfRecipesNameFiles() throws IOException {
        recipes()
                .forEach((heading, text) -> assertThat(steps(text).stream().flatMap(RecipesTest::files))
                        .as("files of '%s'", heading)
                        .hasSizeGreaterThan(2));
    }

    @Test
    void eachEventIsInEachFileOfItsRecipe() throws IOException {
        assertNamed(
                "Adding an event of the trace",
                Arrays.stream(TraceEvent.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList(),
                "QpTrace",
                "DeviceContext");
    }

    @Test
    void eachFaultIsInEachFileOfItsRecipe() throws IOException {
        assertNamed(
                "Adding a fault",
                Arrays.stream(PacketFault.Kind.values()).map(Enum::name).toList());
    }

    /** The places that no compiler knows are those of the test that looks at them. */
    @Test
    void placesOfAnOperationAreThoseOfItsTest() throws IOException {
        Path test = filesOf("OperationPlacesTest").iterator().next();
        String step = steps(recipes().get("Adding an operation")).stream()
                .filter(text -> text.contains("`OperationPlacesTest`"))
                .findFirst()
                .orElseThrow();
        assertThat(files(step).filter(file -> !file.equals(test)))
                .hasSizeGreaterThan(2)
                .allSatisfy(file ->
                        assertThat(test).content().contains(file.getFileName().toString()));
    }

    @Test
    void eachCommandIsInEachFileOfItsRecipe() throws IOException {
        assertNamed(
                "Adding a command",
                Main.commandLine().getSubcommands().keySet().stream()
                        .map(command -> "\"" + command + "\"")
                        .toList(),
                "DevinfoCommand",
                "Output",
                "QuickJvm",
                "CommandFailure",
                "commands",
                "Invocation",
                "README");
    }

    @Test
    void eachCommandIsShownInADocument() throws IOException {
        StringBuilder shown = new StringBuilder(Files.readString(PROJECT.resolve("README.md")));
        for (Path page : markdown(PROJECT.resolve("docs"))) {
            shown.append(Files.readString(page));
        }
        assertThat(Main.commandLine().getSubcommands().keySet())
                .allSatisfy(command -> assertThat(shown).containsPattern("verbatim " + command + "\\b"));
    }

    @Test
    void whatPagesNameIsThere() throws IOException {
        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            named(Files.readString(page))
                    .filter(name -> filesOf(name).isEmpty())
                    .forEach(name -> unknown.add(PROJECT.relativize(page) + ": " + name));
        }
        assertThat(unknown).as("no file or type has this name").isEmpty();
    }

    /** Figures of one day are for who measures; a page says which command makes them. Decisions have the day of their reasons. */
    @Test
    void pagesHaveNoDates() throws IOException {
        Set<String> dates = new TreeSet<>();
        List<Path> all = new ArrayList<>(pages());
        all.addAll(markdown(PROJECT.resolve("docs")));
        for (Path page : all) {
            DATE.matcher(Files.readString(page))
                    .results()
                    .forEach(date -> dates.add(PROJECT.relativize(page) + ": " + date.group()));
        }
        assertThat(dates).isEmpty();
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        Set<String> broken = new TreeSet<>();
        List<Path> all = new ArrayList<>(pages());
        all.addAll(markdown(INTERNALS.resolve("decisions")));
        for (Path page : all) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !link.contains(":") && !leads(page, link))
                    .forEach(link -> broken.add(PROJECT.relativize(page) + ": " + link));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void pagesOfRoomsAnswerTheFourQuestions() throws IOException {
        String list = Files.readString(INTERNALS.resolve("README.md"));
        assertThat(markdown(INTERNALS))
                .filteredOn(page -> !page.endsWith("README.md"))
                .allSatisfy(page -> assertThat(list).contains("](" + page.getFileName() + ")"));
        for (String room : List.of("device", "transports", "simulation", "conformance", "bindings", "cli", "lab")) {
            assertThat(INTERNALS.resolve(room + ".md"))
                    .content()
                    .contains("- **For:**", "- **Must not know:**", "- **Start with:**", "- **Three classes:**");
        }
    }

    private static void assertNamed(String heading, List<String> names, String... otherwise) throws IOException {
        Set<String> missing = new TreeSet<>();
        Set<String> except = Set.of(otherwise);
        for (String step : steps(recipes().get(heading))) {
            if (step.startsWith("Where")) {
                continue;
            }
            for (Path file : files(step).toList()) {
                String text = Files.readString(file).toLowerCase(Locale.ROOT);
                if (!except.contains(file.getFileName().toString().replaceFirst("\\.\\w+$", ""))) {
                    names.stream()
                            .filter(name -> !text.contains(name.toLowerCase(Locale.ROOT)))
                            .forEach(name -> missing.add(name + " is not in " + PROJECT.relativize(file)));
                }
            }
        }
        assertThat(missing).as(heading).isEmpty();
    }

    private static Map<String, String> recipes() throws IOException {
        Map<String, String> recipes = new LinkedHashMap<>();
        for (String section : Files.readString(RECIPES).split("(?m)^(?=##+ )", -1)) {
            if (section.startsWith("### ")) {
                recipes.put(section.lines().findFirst().orElseThrow().substring(4), section);
            }
        }
        return recipes;
    }

    private static List<String> steps(String recipe) {
        return STEP.matcher(recipe).results().map(step -> step.group(1)).toList();
    }

    /** The files that a step names: of its types, by their names, and those that it links to. */
    private static Stream<Path> files(String step) {
        Stream<Path> linked = LINK.matcher(step)
                .results()
                .map(link -> PROJECT.resolve(link.group(1).replaceFirst("#.*", "")))
                .filter(Files::isRegularFile);
        return Stream.concat(named(step).flatMap(name -> filesOf(name).stream()), linked)
                .distinct();
    }

    /** Names of types and files in code spans, but not command lines. */
    private static Stream<String> named(String text) {
        return CODE.matcher(text)
                .results()
                .map((MatchResult code) -> code.group(1))
                .filter(code -> !code.contains(" "))
                .filter(code ->
                        FILE.matcher(code).matches() || TYPE.matcher(code).matches())
                .filter(code -> !FOREIGN.contains(code));
    }

    /** Those that a name means: it may begin with a part of the path, or of the package. */
    private static Set<Path> filesOf(String name) {
        Matcher type = TYPE.matcher(name);
        if (FILE.matcher(name).matches()) {
            Set<Path> found = new LinkedHashSet<>();
            FILES.stream().filter(file -> file.endsWith(name)).forEach(found::add);
            return found;
        }
        if (!type.matches()) {
            return Set.of();
        }
        String before = name.substring(0, type.start(1)).replace('.', '/');
        Set<Path> found = new LinkedHashSet<>();
        for (Path file : TYPES.getOrDefault(type.group(1), Set.of())) {
            if (file.toString().replace('\\', '/').contains("/" + before)) {
                found.add(file);
            }
        }
        return found;
    }

    private static boolean leads(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (parts.length < 2 || !target.toString().endsWith(".md")) {
            return Files.exists(target);
        }
        try (Stream<String> lines = Files.lines(target)) {
            return lines.filter(line -> line.startsWith("#"))
                    .map(line -> line.replaceFirst("#+ ", "")
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^a-z0-9 _-]", "")
                            .replace(' ', '-'))
                    .anyMatch(parts[1]::equals);
        } catch (IOException e) {
            return false;
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(RECIPES));
        pages.addAll(markdown(INTERNALS));
        return pages;
    }

    private static List<Path> markdown(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
