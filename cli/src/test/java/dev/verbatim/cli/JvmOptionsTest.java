// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the launchers are told stands beside the commands. */
class JvmOptionsTest {

    @Test
    void commandsThatEndSoonAreTold() {
        assertThat(JvmOptions.rows())
                .containsExactly(
                        "- - 0 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                        "litmus --seconds 60 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                        "explore --programs 20000 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                        "rules - 0 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                        "devinfo - 0 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    }

    @Test
    void optionsOfRowsAreOptionsOfTheCommands() {
        Map<String, CommandLine> commands = Main.commandLine().getSubcommands();
        for (String row : JvmOptions.rows()) {
            List<String> words = List.of(row.split(" "));
            if (!words.get(1).equals(JvmOptions.NONE)) {
                assertThat(commands.get(words.get(0)).getCommandSpec().findOption(words.get(1)))
                        .as(row)
                        .isNotNull();
            }
        }
    }
}
