// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/memory-windows.md quotes programs that run, and shows what the device said. */
@Tag("smoke")
class WindowGuideTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final Path PAGE = PROJECT.resolve("docs/memory-windows.md");
    private static final Path PROGRAMS =
            PROJECT.resolve("conformance/src/test/java/dev/verbatim/conformance/guide/WindowLives.java");

    /** A block of the page, behind a comment that names where it is from. */
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- (\\S+) (\\S+) -->\n```\\w+\n)(.*?)(?=```\n)", Pattern.DOTALL);

    private static final Map<String, Supplier<String>> SAID = Map.ofEntries(
            Map.entry("type-1", WindowLives::type1),
            Map.entry("type-2", WindowLives::type2),
            Map.entry("posting", WindowRefusals::posting),
            Map.entry("binding", WindowRefusals::binding),
            Map.entry("access", WindowRefusals::access),
            Map.entry("stale-keys", WindowRefusals::staleKeys),
            Map.entry("queue-pair-gone", WindowRefusals::queuePairGone),
            Map.entry("mistakes", WindowRefusals::mistakes),
            Map.entry("late-read", WindowTraffic::lateRead),
            Map.entry("deallocated-in-the-middle", WindowTraffic::deallocatedInTheMiddle),
            Map.entry("unfenced", WindowTraffic::unfenced),
            Map.entry("fenced", WindowTraffic::fenced));

    private static String read(Path file) throws IOException {
        return Files.readString(file).replace("\r\n", "\n");
    }

    private static String program(String name) throws IOException {
        String source = read(PROGRAMS);
        String begin = "// " + name + " begins\n";
        return source.substring(source.indexOf(begin) + begin.length(), source.indexOf("// " + name + " ends"))
                        .stripTrailing()
                        .stripIndent()
                + "\n";
    }

    private static Map<String, String> blocks() throws IOException {
        Map<String, String> blocks = new LinkedHashMap<>();
        BLOCK.matcher(read(PAGE))
                .results()
                .forEach(block -> blocks.put(block.group(2) + " " + block.group(3), block.group(4)));
        return blocks;
    }

    private static Map<String, String> whatIs() throws IOException {
        Map<String, String> blocks = new LinkedHashMap<>();
        SAID.forEach((name, said) -> blocks.put("said-by " + name, said.get()));
        for (String name : new String[] {"type-1", "type-2"}) {
            blocks.put("program " + name, program(name));
        }
        return blocks;
    }

    /** {@code -Dverbatim.update=true} writes them anew. */
    @Test
    void blocksAreWhatTheProgramsAreAndTheDeviceSays() throws IOException {
        Map<String, String> blocks = whatIs();
        if (Boolean.getBoolean("verbatim.update")) {
            Files.writeString(PAGE, BLOCK.matcher(read(PAGE)).replaceAll(block -> updated(block, blocks)));
        }
        Map<String, String> quoted = blocks();
        assertThat(quoted.keySet()).containsExactlyInAnyOrderElementsOf(blocks.keySet());
        quoted.forEach((name, block) -> assertThat(block)
                .as("%s: run this test once with -Dverbatim.update=true after changing what the device says", name)
                .isEqualTo(blocks.get(name)));
    }

    private static String updated(MatchResult block, Map<String, String> blocks) {
        String content = blocks.getOrDefault(block.group(2) + " " + block.group(3), "nobody says that\n");
        return Matcher.quoteReplacement(block.group(1) + content);
    }
}
