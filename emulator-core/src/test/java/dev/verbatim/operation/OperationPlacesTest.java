// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.operation;

import static dev.verbatim.operation.Operation.ATOMIC_CMP_AND_SWP;
import static dev.verbatim.operation.Operation.ATOMIC_FETCH_AND_ADD;
import static dev.verbatim.operation.Operation.ATOMIC_WRITE;
import static dev.verbatim.operation.Operation.BIND_MW;
import static dev.verbatim.operation.Operation.FLUSH;
import static dev.verbatim.operation.Operation.LOCAL_INV;
import static dev.verbatim.operation.Operation.RDMA_WRITE_WITH_IMM;
import static dev.verbatim.operation.Operation.SEND_WITH_IMM;
import static dev.verbatim.operation.Operation.SEND_WITH_INV;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The places that word each operation once more and that no compiler names: who adds a row to {@link Operation} reads here, and in what
 * this test says, where else the operation belongs. The other places are switches over all of them, without which nothing compiles.
 */
class OperationPlacesTest {

    /**
     * A place.
     *
     * @param file the end of its path, which is unique in the repository
     * @param what it says of an operation
     * @param without the operations that need not stand there
     * @param reason why not
     */
    private record Place(String file, String what, Set<Operation> without, String reason) {

        Place(String file, String what) {
            this(file, what, Set.of(), "");
        }

        /** A class that makes requests names the constant; tests and documents have it as a word. */
        boolean names(Operation operation, String text) {
            boolean isClass = file.endsWith(".java") && !file.endsWith("Test.java");
            String word = isClass ? "WrOpcode." + operation : operation.name();
            return Pattern.compile("(?<!\\w)" + Pattern.quote(word) + "(?!\\w)")
                    .matcher(text)
                    .find();
        }
    }

    private static final List<Path> ALL = files("");

    private static final List<Place> PLACES = List.of(
            new Place("dev/verbatim/verbs/SendWorkRequest.java", "the method that makes such a request"),
            new Place("dev/verbatim/device/PostableOpcodesTest.java", "its row of table E.1, and a request of it"),
            new Place("docs/scenarios.md", "how a scenario posts it"),
            new Place(
                    "dev/verbatim/conformance/explore/PairType.java",
                    "how often random programs post it",
                    Set.of(SEND_WITH_INV, BIND_MW, LOCAL_INV),
                    "WindowPlan draws what is about windows"),
            new Place("soak/verb/RequestKind.java", "how often a soak posts it"),
            new Place(
                    "dev/verbatim/interop/differential/ProgramDraw.java",
                    "how often two devices are compared by it",
                    Set.of(ATOMIC_WRITE, FLUSH, BIND_MW, LOCAL_INV),
                    "adapters lack the first two; Flow binds and invalidates windows"),
            new Place(
                    "dev/verbatim/ibverbs/verbs/ExtendedPosts.java",
                    "its function of struct ibv_qp_ex, and its bit of send_ops_flags",
                    Set.of(ATOMIC_WRITE, FLUSH, BIND_MW),
                    "Batch makes these requests"),
            new Place(
                    "dev/verbatim/networkdirect/NdQueuePair.java",
                    "the call that posts it",
                    Set.of(
                            SEND_WITH_IMM,
                            SEND_WITH_INV,
                            RDMA_WRITE_WITH_IMM,
                            ATOMIC_CMP_AND_SWP,
                            ATOMIC_FETCH_AND_ADD,
                            ATOMIC_WRITE,
                            FLUSH,
                            BIND_MW,
                            LOCAL_INV),
                    "NetworkDirect has SEND, READ and WRITE; it binds and invalidates by calls of its own"));

    @Test
    void eachPlaceNamesEachOperation() throws IOException {
        List<String> missing = new ArrayList<>();
        List<String> named = new ArrayList<>();
        for (Place place : PLACES) {
            Path file = fileOf(place);
            String text = Files.readString(file);
            for (Operation operation : Operation.values()) {
                boolean isThere = place.names(operation, text);
                boolean isExcused = place.without.contains(operation);
                if (!operation.types().isEmpty() && !isThere && !isExcused) {
                    missing.add(operation + " is not in " + file + ": " + place.what);
                }
                if (isThere && isExcused) {
                    named.add(operation + " is in " + file + " although it need not be: " + place.reason);
                }
            }
        }
        assertThat(missing)
                .as("add what is missing there, or say in PLACES why it need not be")
                .isEmpty();
        assertThat(named).as("take it out of PLACES").isEmpty();
    }

    /** So the compiler names what a new operation still lacks, and nothing is done for it as if it were another. */
    @Test
    void noSwitchOfTheDeviceHasAnArmForAllOtherOperations() throws IOException {
        Set<String> constants = new TreeSet<>();
        Stream.of(Operation.values(), Effect.values(), Atomic.values(), WrOpcode.values(), Opcode.Kind.values())
                .flatMap(Arrays::stream)
                .forEach(each -> constants.add(((Enum<?>) each).name()));
        List<String> found = new ArrayList<>();
        for (Path file : files("emulator-core/src/main/java/dev/verbatim/device")) {
            String text = Files.readString(file);
            Matcher matcher = Pattern.compile("switch \\(").matcher(text);
            while (matcher.find()) {
                String body = bodyAt(text, text.indexOf('{', matcher.end()));
                List<String> cases = Pattern.compile("case ([\\w,\\s]+)->")
                        .matcher(body)
                        .results()
                        .flatMap(arm -> Stream.of(arm.group(1).split("\\W+")))
                        .toList();
                if (!cases.isEmpty() && constants.containsAll(cases) && body.contains("default ->")) {
                    found.add(file + ": " + body.lines().skip(1).findFirst().orElse(body));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** From one brace to the one that closes it. */
    private static String bodyAt(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return text.substring(open, i + 1);
            }
        }
        throw new AssertionError("no end of the switch in " + text);
    }

    private static Path fileOf(Place place) {
        List<Path> files = ALL.stream()
                .filter(file -> file.toString().endsWith(place.file))
                .toList();
        assertThat(files).as("files that end with " + place.file).hasSize(1);
        return files.get(0);
    }

    private static List<Path> files(String folder) {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("mvnw"))) {
            root = root.getParent();
            assertThat(root).as("a folder above with mvnw").isNotNull();
        }
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root.resolve(folder), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                    String name = each.getFileName().toString();
                    boolean isOfOthers = name.equals("target") || name.startsWith(".") || name.equals("node_modules");
                    return isOfOthers ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
                    files.add(each);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }
}
