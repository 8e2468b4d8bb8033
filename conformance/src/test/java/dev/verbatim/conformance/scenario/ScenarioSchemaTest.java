// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.verbatim.conformance.scenario.step.StepWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private final JsonSchema schema = JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(JSON.<JsonNode>valueToTree(ScenarioForm.jsonSchema()));

    static Stream<Path> files() {
        return ShippedFiles.all().stream();
    }

    private Set<ValidationMessage> validate(String yaml) {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        return schema.validate(JSON.<JsonNode>valueToTree(new Load(settings).loadFromString(yaml)));
    }

    /** {@code -Dverbatim.update=true} writes them anew. */
    @ParameterizedTest
    @ValueSource(
            strings = {"docs/scenario.schema.json", "conformance/src/main/resources/scenarios/scenario.schema.json"})
    void schemaFileIsTheOneOfTheReader(String name) throws IOException {
        Path file = PROJECT.resolve(name);
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

    @Test
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
