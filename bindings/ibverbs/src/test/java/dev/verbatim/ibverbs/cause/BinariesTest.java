// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What addr2line writes. */
class BinariesTest {

    private static List<SourceLine> parse(String output) {
        return Binaries.parse(output, "program", 0x1234, "exported");
    }

    @Test
    void functionsThatAreInlinedFollowEachOther() {
        assertThat(parse("""
                ibv_post_send at /usr/include/infiniband/verbs.h:3342
                 (inlined by) send_all at /home/u/client.c:92 (discriminator 2)
                """))
                .containsExactly(
                        new SourceLine("program", 0x1234, "ibv_post_send", "/usr/include/infiniband/verbs.h", 3342),
                        new SourceLine("program", 0x1234, "send_all", "/home/u/client.c", 92));
    }

    @Test
    void columnOfElfutilsIsLeftOut() {
        assertThat(parse("main at /home/u/client.c:12:5\n"))
                .containsExactly(new SourceLine("program", 0x1234, "main", "/home/u/client.c", 12));
    }

    @Test
    void filesAreThoseOfElfutilsWhereLinesAreTheSame() {
        List<SourceLine> lines = parse("send at /home/u/client.c:8\n (inlined by) main at /home/u/client.c:12\n");

        assertThat(Binaries.withFilesOf(
                        parse("send at /home/u/own.h:8:4\n (inlined by) main at /home/u/client.c:12:5\n"), lines))
                .containsExactlyElementsOf(
                        parse("send at /home/u/own.h:8\n (inlined by) main at /home/u/client.c:12\n"));
        assertThat(Binaries.withFilesOf(parse("send at ??:0\n (inlined by) main at /home/u/own.h:7\n"), lines))
                .isEqualTo(lines);
        assertThat(Binaries.withFilesOf(parse("main at /home/u/own.h:12\n"), lines))
                .isEqualTo(lines);
        assertThat(Binaries.withFilesOf(List.of(), lines)).isEqualTo(lines);
    }

    @Test
    void symbolsStandWhereThereIsNoDebugInformation() {
        SourceLine named = new SourceLine("program", 0x1234, "main", null, 0);
        assertThat(parse("main at ??:?\n")).containsExactly(named);
        assertThat(parse("main at ??:0\n")).containsExactly(named);
        assertThat(parse("?? ??:0\n")).isEmpty();
        assertThat(parse("?? at ??:0\n")).containsExactly(new SourceLine("program", 0x1234, "exported", null, 0));
        assertThat(Binaries.parse("main at ??:0\n", "program", 0x1234, null))
                .as("the nearest symbol, which ends before the address")
                .containsExactly(new SourceLine("program", 0x1234, null, null, 0));
        assertThat(named).hasToString("program+0x1234 (main)");
    }
}
