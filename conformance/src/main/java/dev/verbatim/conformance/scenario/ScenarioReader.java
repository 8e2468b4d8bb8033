// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Mark;
import dev.verbatim.conformance.scenario.form.Problem;
import dev.verbatim.conformance.scenario.form.Problems;
import dev.verbatim.conformance.scenario.form.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads scenarios from YAML. */
public final class ScenarioReader {

    private static final int MOST_BYTES = 4 << 20;

    private ScenarioReader() {}

    /**
     * Reads a file.
     *
     * @throws BadScenario if it cannot be read, is no scenario, or names what is not there; it tells all that is wrong
     */
    public static ScenarioFile read(Path file) {
        String name = file.toString();
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw unreadable(name, "it has more than " + MOST_BYTES + " bytes; see that it is a scenario");
            }
            String yaml = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return read(name, yaml);
        } catch (CharacterCodingException e) {
            throw unreadable(name, "it is not UTF-8; save it as UTF-8");
        } catch (IOException e) {
            throw unreadable(name, "it cannot be read (" + FileReason.of(e) + "); see that it exists");
        }
    }

    private static BadScenario unreadable(String name, String why) {
        return new BadScenario(name, List.of(new Problem(Mark.START, "", why)));
    }

    /**
     * Reads a text.
     *
     * @param name of the file, for messages
     * @throws BadScenario as {@link #read(Path)}
     */
    public static ScenarioFile read(String name, String yaml) {
        Problems problems = new Problems();
        Scenario scenario = YamlReader.read(yaml, ScenarioForm.FORM, problems);
        if (scenario != null && problems.isEmpty()) {
            ScenarioCheck.check(scenario, problems);
        }
        if (scenario == null || !problems.isEmpty()) {
            throw new BadScenario(name, problems.list());
        }
        return new ScenarioFile(name, yaml, scenario, problems);
    }
}
