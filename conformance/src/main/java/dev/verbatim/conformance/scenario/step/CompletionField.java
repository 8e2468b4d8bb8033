// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WorkCompletion;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** What a register can take from a completion. */
public enum CompletionField {
    STATUS((completion, bench) -> completion.status().name()),
    OPCODE((completion, bench) -> completion.opcode().name()),
    BYTE_LEN((completion, bench) -> Integer.toUnsignedString(completion.byteLength())),
    IMM((completion, bench) -> Integer.toUnsignedString(completion.immediate())),
    INVALIDATED_RKEY((completion, bench) -> Integer.toUnsignedString(completion.invalidatedKey())),
    FLAGS((completion, bench) -> WcFlags.describe(completion.flags())),
    SRC_QP((completion, bench) -> String.valueOf(completion.sourceQp())),
    PKEY_INDEX((completion, bench) -> String.valueOf(completion.pkeyIndex())),
    WR_ID((completion, bench) -> String.valueOf(completion.id())),
    QP((completion, bench) -> bench.qpNamed(completion.qpNumber()));

    private final BiFunction<WorkCompletion, Workbench, String> value;

    CompletionField(BiFunction<WorkCompletion, Workbench, String> value) {
        this.value = value;
    }

    /** Its name in files. */
    public String word() {
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

    String of(WorkCompletion completion, Workbench bench) {
        return value.apply(completion, bench);
    }
}
