// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of docs/debugging-c.md is that of misuse.c, and its outputs are what is printed, but for addresses and numbers of queue pairs. */
class DebuggingGuideTest {

    private static final Path GUIDE = Path.of("../../docs/debugging-c.md");
    private static final Path SOURCE = Path.of("src/test/c/misuse.c");
    private static final Pattern CODE = Pattern.compile("(?s)```c\n(.*?)```");
    private static final Pattern OUTPUT =
            Pattern.compile("(?s)```\n\\$ \\./verbatim exec --sanitize -- \\./misuse (\\w+)\n(.*?)```");
    private static final int LEAST = 5;

    private static String withoutIndents(String code) {
        return code.replaceAll("(?m)^ +", "");
    }

    @Test
    void codeStandsInTheProgram() throws IOException {
        String source = withoutIndents(Files.readString(SOURCE));
        List<String> blocks = CODE.matcher(Files.readString(GUIDE))
                .results()
                .map(found -> withoutIndents(found.group(1)))
                .toList();
        assertThat(blocks)
                .hasSizeGreaterThanOrEqualTo(LEAST)
                .allSatisfy(block -> assertThat(source).contains(block));
    }

    @Test
    void outputsAreWhatIsPrinted() throws IOException, InterruptedException {
        Map<String, String> printed = outputs();
        String guide = Files.readString(GUIDE);
        StringBuilder anew = new StringBuilder();
        Matcher matcher = OUTPUT.matcher(guide);
        int count = 0;
        while (matcher.find()) {
            String name = matcher.group(1);
            String output = printed.get(name);
            assertThat(output).as(name).isNotNull();
            boolean isSame = general(output).equals(general(matcher.group(2)));
            if (!Boolean.getBoolean("verbatim.update")) {
                assertThat(general(matcher.group(2)))
                        .as("%s in %s; write it anew with -Dverbatim.update=true", name, GUIDE)
                        .isEqualTo(general(output));
            }
            matcher.appendReplacement(
                    anew,
                    Matcher.quoteReplacement(
                            isSame ? matcher.group() : matcher.group().replace(matcher.group(2), output)));
            count++;
        }
        matcher.appendTail(anew);
        assertThat(count).isGreaterThanOrEqualTo(LEAST);
        if (!anew.toString().equals(guide)) {
            Files.writeString(GUIDE, anew);
        }
    }

    /** In README, without the directory of the program. */
    @Test
    void readmeShowsOneOfTheOutputs() throws IOException {
        String begin = "$ ./verbatim exec --sanitize -- ./misuse fence_missing\n";
        String shown = between(Files.readString(Path.of("../../README.md")), begin);
        assertThat(general("case fence_missing\n" + shown))
                .isEqualTo(
                        general(between(Files.readString(GUIDE), begin).replace("bindings/ibverbs/src/test/c/", "")));
    }

    private static String between(String document, String begin) {
        int from = document.indexOf(begin) + begin.length();
        return document.substring(from, document.indexOf("```", from));
    }

    /** What each mistake of the program prints, with paths as seen from the root of the repository. */
    private static Map<String, String> outputs() throws IOException, InterruptedException {
        Map<String, String> variables =
                Map.of("VERBATIM_SANITIZE", "yes", "LD_PRELOAD", CProgram.library("libverbatim-memory.so"));
        String errors =
                CProgram.compile("misuse.c", "-ldl").run(variables, "together").errors();
        Map<String, String> byCase = new HashMap<>();
        for (String block : errors.split("(?m)^(?=case )", -1)) {
            String name = block.lines().findFirst().orElse("").replace("case ", "");
            byCase.put(name, block.replace(SOURCE.toString(), "bindings/ibverbs/" + SOURCE));
        }
        return byCase;
    }

    private static String general(String output) {
        return output.replaceAll("0x[0-9a-f]+", "0xN").replaceAll("qp \\d+", "qp N");
    }
}
