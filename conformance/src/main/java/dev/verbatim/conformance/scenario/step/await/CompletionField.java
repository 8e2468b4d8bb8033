// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WorkCompletion;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** What a register can take from a completion. */
public enum CompletionField {
    STATUS((completion, node) -> completion.status().name()),
    OPCODE((completion, node) -> completion.opcode().name()),
    BYTE_LEN((completion, node) -> Integer.toUnsignedString(completion.byteLength())),
    IMM((completion, node) -> Integer.toUnsignedString(completion.immediate())),
    INVALIDATED_RKEY((completion, node) -> Integer.toUnsignedString(completion.invalidatedKey())),
    FLAGS((completion, node) -> WcFlags.describe(completion.flags())),
    SRC_QP((completion, node) -> String.valueOf(completion.sourceQp())),
    PKEY_INDEX((completion, node) -> String.valueOf(completion.pkeyIndex())),
    WR_ID((completion, node) -> String.valueOf(completion.id())),
    QP((completion, node) -> node.qpNamed(completion.qpNumber()));

    private final BiFunction<WorkCompletion, NodeState, String> value;

    CompletionField(BiFunction<WorkCompletion, NodeState, String> value) {
        this.value = value;
    }

    /** Its name in files. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Registers by field; a single register takes the status. */
    static Form<Map<CompletionField, String>> into() {
        Form<String> register = Forms.name("the name of a register");
        Map<String, String> words = new LinkedHashMap<>();
        for (CompletionField field : values()) {
            words.put(field.word(), field.word());
        }
        Form<Map<String, String>> several = Forms.mapOf(Forms.oneOf("a field of a completion", words), register);
        return Forms.shortOr(
                Forms.converted(register, name -> Map.of(STATUS, name), into -> into.getOrDefault(STATUS, "")),
                into -> into.size() == 1 && into.containsKey(STATUS),
                Forms.converted(several, CompletionField::byField, CompletionField::byWord));
    }

    private static Map<CompletionField, String> byField(Map<String, String> byWord) {
        Map<CompletionField, String> byField = new LinkedHashMap<>();
        byWord.forEach((word, register) -> byField.put(valueOf(word.toUpperCase(Locale.ROOT)), register));
        return byField;
    }

    private static Map<String, String> byWord(Map<CompletionField, String> byField) {
        Map<String, String> byWord = new LinkedHashMap<>();
        byField.forEach((field, register) -> byWord.put(field.word(), register));
        return byWord;
    }

    String of(WorkCompletion completion, NodeState node) {
        return value.apply(completion, node);
    }
}
