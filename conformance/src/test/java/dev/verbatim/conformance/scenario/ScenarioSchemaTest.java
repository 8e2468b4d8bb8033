// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** What editors are told of scenario files is what the reader understands. */
class ScenarioSchemaTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Read once: a test makes an instance of its class for each file. */
    private static final JsonSchema SCHEMA = JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(JSON.<JsonNode>valueToTree(ScenarioForm.jsonSchema()));

    static Stream<Path> files() {
        return ShippedFiles.all().stream();
    }

    private Set<ValidationMessage> validate(String yaml) {
        return SCHEMA.validate(JSON.<JsonNode>valueToTree(load(yaml)));
    }

    private static Object load(String yaml) {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        return new Load(settings).loadFromString(yaml);
    }

    /** {@code -Dverbatim.update=true} writes it anew. */
    @Test
    void schemaFileIsTheOneOfTheReader() throws IOException {
        Path file = PROJECT.resolve("docs/scenario.schema.json");
        String generated = JSON.writeValueAsString(ScenarioForm.jsonSchema()).replace("\r\n", "\n") + "\n";
        if (Boolean.getBoolean("verbatim.update")) {
            Files.writeString(file, generated);
        }
        assertThat(file)
                .as("run this test once with -Dverbatim.update=true after changing words")
                .content()
                .isEqualToNormalizingNewlines(generated);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void shippedFileSatisfiesTheSchema(Path file) throws IOException {
        assertThat(validate(Files.readString(file))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nodes: {a: {}}",
                "{title: t, nodes: {a: {wrods: {}}}}",
                "{title: t, nodes: {a: {program: [{wirte: {x: 1}}]}}}",
                "{title: t, nodes: {a: {program: [{write: {x: 1}, flags: FENCED}]}}}",
                "{title: t, nodes: {a: {program: [{completion: SUCESS}]}}}",
                "{title: t, nodes: {a: {}}, connections: [{between: [a, b], timeout: 32}]}",
                "{title: t, nodes: {a: {}}, choices: {on: whatever}}"
            })
    void schemaRefusesWhatTheReaderRefuses(String yaml) {
        assertThat(validate(yaml)).isNotEmpty();
        assertThatThrownBy(() -> ScenarioReader.read("file.yaml", yaml)).isInstanceOf(BadScenario.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tilte: t, nodes: {a: {}}}",
                "{title: t, nodes: {a: {wrods: {}}}}",
                "{title: t, nodes: {a: {program: [{wirte: {x: 1}}]}}}",
                "{title: t, nodes: {a: {program: [{wirte: {x: 1}, flags: FENCE, qp: q}]}}}",
                "{title: t, nodes: {a: {program: [{flags: FENCE}]}}}",
                "{title: t, nodes: {a: {program: [write]}}}",
                "{title: t, nodes: {a: {program: [{write: {x: 1}, flags: FENCED}]}}}",
                "{title: t, nodes: {a: {program: [{write: {x: 1}, flags: [FENCE, FENCED]}]}}}",
                "{title: t, nodes: {a: {program: [{write: {x: 1}, falgs: FENCE}]}}}",
                "{title: t, nodes: {a: {program: [{write: {x: 1}, read: {x: r}}]}}}",
                "{title: t, nodes: {a: {program: [{write: {x: [1, 1.5]}}]}}}",
                "{title: t, nodes: {a: {program: [{write_imm: {x: 1}, imm: 0x1ffffffff}]}}}",
                "{title: t, nodes: {a: {program: [{completion: SUCESS}]}}}",
                "{title: t, nodes: {a: {program: [{completion: {status: SUCESS}}]}}}",
                "{title: t, nodes: {a: {program: [{completion: {staus: SUCCESS}}]}}}",
                "{title: t, nodes: {a: {program: [{chain: [{write: {x: 1}}, {raed: {x: r}}]}]}}}",
                "{title: t, nodes: {a: {program: [{modify: {sate: RTS}}]}}}",
                "{title: t, nodes: {a: {program: [{query_gid: 0, nod: b}]}}}",
                "{title: t, nodes: {a: {words: {x: zero}}}}",
                "{title: t, nodes: {a: {}}, connections: [{between: [a, b], timeout: 32}]}",
                "{title: t, nodes: {a: {}}, faults: [{dorp: {from: a}}]}",
                "{title: t, nodes: {a: {}}, faults: [{drop: {frmo: a}}]}",
                "{title: t, nodes: {a: {}}, choices: {on: whatever}}"
            })
    void oneMistakeIsOneError(String yaml) {
        assertThat(validate(yaml)).as("%s", validate(yaml)).hasSize(1);
        assertThatThrownBy(() -> ScenarioReader.read("file.yaml", yaml)).isInstanceOf(BadScenario.class);
    }

    /** Each shipped file, with each key of its steps misspelt in turn. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void misspeltKeyOfAStepIsOneError(Path file) throws IOException {
        JsonNode whole = JSON.valueToTree(load(Files.readString(file)));
        for (JsonNode node : whole.get("nodes")) {
            for (JsonNode step : node.path("program")) {
                for (String key : keysOf((ObjectNode) step)) {
                    ObjectNode right = ((ObjectNode) step).deepCopy();
                    ((ObjectNode) step).set(key + "x", ((ObjectNode) step).remove(key));
                    // What is left may begin another step, as ack of {event: ..., ack: false} does.
                    if (Collections.disjoint(keysOf((ObjectNode) step), StepWords.heads()) || !isHead(key)) {
                        assertThat(SCHEMA.validate(whole))
                                .as("%s of %s", key, right)
                                .hasSize(1);
                    }
                    ((ObjectNode) step).removeAll().setAll(right);
                }
            }
        }
    }

    private static boolean isHead(String key) {
        return StepWords.heads().contains(key);
    }

    private static List<String> keysOf(ObjectNode object) {
        List<String> keys = new ArrayList<>();
        object.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    @Test
    @LongTest
    void whateverIsWrittenSatisfiesTheSchema() {
        for (long seed = 1; seed <= 200; seed++) {
            String yaml = ScenarioWriter.write(new RandomScenarios(seed).scenario());
            assertThat(validate(yaml)).as(yaml).isEmpty();
        }
    }

    @Test
    void everyStepHasADefinition() {
        JsonNode definitions = JSON.valueToTree(ScenarioForm.jsonSchema()).get("$defs");
        assertThat(StepWords.heads())
                .allSatisfy(word -> assertThat(definitions.has(word)).isTrue());
    }
}
