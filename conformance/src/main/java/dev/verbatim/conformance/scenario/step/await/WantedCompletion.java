// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a completion must be; what is null does not matter. */
public record WantedCompletion(
        @Nullable WcStatus status,
        @Nullable WcOpcode opcode,
        @Nullable Integer byteLength,
        @Nullable Integer immediate,
        @Nullable KeyRef invalidated,
        @Nullable Integer flags,
        @Nullable Long id,
        @Nullable String qp,
        @Nullable QpRef source,
        @Nullable Integer pkeyIndex) {

    /** Any completion at all. */
    public static final WantedCompletion ANY =
            new WantedCompletion(null, null, null, null, null, null, null, null, null, null);

    private static final String ANY_WORD = "any";

    /** In a file: a status, {@value #ANY_WORD}, or a mapping. */
    public static final Form<WantedCompletion> FORM = form();

    /** A completion with that status. */
    public static WantedCompletion of(WcStatus status) {
        return new WantedCompletion(status, null, null, null, null, null, null, null, null, null);
    }

    private static Form<WantedCompletion> form() {
        Mapping<WantedCompletion> mapping = new Mapping<>("wanted_completion", "a completion");
        Key<WantedCompletion, WcStatus> status = mapping.perhaps(
                "status", Forms.constant("a status", WcStatus.class), WantedCompletion::status, "Its status.");
        Key<WantedCompletion, WcOpcode> opcode = mapping.perhaps(
                "opcode",
                Forms.constant("an opcode of a completion", WcOpcode.class),
                WantedCompletion::opcode,
                "What was completed.");
        Key<WantedCompletion, Integer> bytes =
                mapping.perhaps("byte_len", Forms.halfWord(), WantedCompletion::byteLength, "Bytes received or read.");
        Key<WantedCompletion, Integer> immediate =
                mapping.perhaps("imm", Forms.halfWord(), WantedCompletion::immediate, "Immediate data.");
        Key<WantedCompletion, KeyRef> invalidated = mapping.perhaps(
                "invalidated_rkey",
                KeyRef.FORM,
                WantedCompletion::invalidated,
                "The key that the message invalidated.");
        Key<WantedCompletion, Integer> flags =
                mapping.perhaps("flags", FlagWords.COMPLETION, WantedCompletion::flags, "Exactly these flags.");
        Key<WantedCompletion, Long> id =
                mapping.perhaps("wr_id", Forms.word(), WantedCompletion::id, "Number of the work request.");
        Key<WantedCompletion, String> qp = mapping.perhaps(
                "qp", Forms.name("the name of a queue pair"), WantedCompletion::qp, "Whose completion it is.");
        Key<WantedCompletion, QpRef> source = mapping.perhaps(
                "src_qp", QpRef.FORM, WantedCompletion::source, "The queue pair that sent the datagram.");
        Key<WantedCompletion, Integer> pkeyIndex = mapping.perhaps(
                "pkey_index",
                Forms.integer(0, 0xffff),
                WantedCompletion::pkeyIndex,
                "Index of the partition key of a datagram.");
        mapping.making(values -> new WantedCompletion(
                values.orNull(status),
                values.orNull(opcode),
                values.orNull(bytes),
                values.orNull(immediate),
                values.orNull(invalidated),
                values.orNull(flags),
                values.orNull(id),
                values.orNull(qp),
                values.orNull(source),
                values.orNull(pkeyIndex)));
        Map<String, WantedCompletion> words = new LinkedHashMap<>();
        words.put(ANY_WORD, ANY);
        for (WcStatus each : WcStatus.values()) {
            words.put(each.name(), of(each));
        }
        return Forms.shortOr(Forms.oneOf("a status or " + ANY_WORD, words), words::containsValue, mapping);
    }

    /** How the completion is another than this; null if it is as wanted. */
    @Nullable
    String differenceTo(WorkCompletion completion, StepContext context) {
        List<String> differences = new ArrayList<>();
        compare("status", status, completion.status()).ifPresent(differences::add);
        compare("wr_id", id, completion.id()).ifPresent(differences::add);
        compare("qp", qp, context.node().qpNamed(completion.qpNumber())).ifPresent(differences::add);
        if (source != null) {
            int number = context.node(source.node()).qp(source.qp()).number();
            compare("src_qp", number, completion.sourceQp()).ifPresent(differences::add);
        }
        compare("opcode", opcode, completion.opcode()).ifPresent(differences::add);
        compare("byte_len", byteLength, completion.byteLength()).ifPresent(differences::add);
        compare("pkey_index", pkeyIndex, completion.pkeyIndex()).ifPresent(differences::add);
        compare("imm", immediate, completion.immediate()).ifPresent(differences::add);
        if (invalidated != null) {
            compare(
                            "invalidated_rkey",
                            hex(context.key(invalidated, context.node(), true)),
                            hex(completion.invalidatedKey()))
                    .ifPresent(differences::add);
        }
        compare("flags", flags == null ? null : WcFlags.describe(flags), WcFlags.describe(completion.flags()))
                .ifPresent(differences::add);
        return differences.isEmpty() ? null : String.join(", ", differences);
    }

    private static String hex(int key) {
        return String.format(Locale.ROOT, "0x%08x", key);
    }

    private static Optional<String> compare(String name, @Nullable Object wanted, Object found) {
        return wanted == null || wanted.equals(found)
                ? Optional.empty()
                : Optional.of(name + "=" + found + ", not " + wanted);
    }
}
