// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code explain}. */
@Command(
        name = "explain",
        description = {
            "Says what a number of a failed completion means: its vendor_err, which stands for the rule that was broken, or its"
                    + " status. For example: verbatim explain 4004"
        })
final class ExplainCommand implements Runnable {

    private static final int HEXADECIMAL = 16;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "N",
            arity = "1..*",
            description = "A vendor_err or a status: decimal, hexadecimal with 0x, or the name of a status or rule.")
    private List<String> words = new ArrayList<>();

    @Mixin
    private Output output;

    private record StatusLine(String id, int number, String text) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println(id + " (status " + number + "): " + text);
        }
    }

    private record RuleLine(String id, int number, String text) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println(id + " (vendor_err " + number + "): " + text);
        }
    }

    @Override
    public void run() {
        List<Result> answers = words.stream().map(this::answer).toList();
        answers.forEach(output::print);
    }

    private Result answer(String word) {
        OptionalInt number = number(word);
        for (WcStatus status : WcStatus.values()) {
            if (status.name().equalsIgnoreCase(word) || (number.isPresent() && status.number() == number.getAsInt())) {
                return new StatusLine(status.name(), status.number(), meaning(status));
            }
        }
        return Rule.catalogue().stream()
                .filter(rule -> number.isPresent()
                        ? rule.number() == number.getAsInt()
                        : rule.id().equalsIgnoreCase(word))
                .findFirst()
                .<Result>map(rule -> new RuleLine(rule.id(), rule.number(), rule.statement()))
                .orElseThrow(() -> new ParameterException(spec.commandLine(), wrong(word, number)));
    }

    private static String wrong(String word, OptionalInt number) {
        if (number.isPresent()) {
            return word + " is neither a status, 0 to 23, nor a vendor_err of Verbatim, which are above 1000";
        }
        List<String> known = new ArrayList<>();
        Rule.catalogue().forEach(rule -> known.add(rule.id()));
        Arrays.stream(WcStatus.values()).map(WcStatus::name).forEach(known::add);
        return word + " is no number, status or rule; "
                + NearestWord.advice(word, known, "'verbatim rules' lists all rules");
    }

    private static OptionalInt number(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        try {
            return OptionalInt.of(
                    lower.startsWith("0x")
                            ? Integer.parseInt(lower.substring(2), HEXADECIMAL)
                            : Integer.parseInt(lower));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** What a status says, and where to look first. */
    private static String meaning(WcStatus status) {
        return switch (status) {
            case SUCCESS -> "the request is complete.";
            case LOC_LEN_ERR ->
                "a message is longer than the receive that it met, or than a message may be. Compare the sizes of SEND and receive.";
            case LOC_QP_OP_ERR ->
                "the queue pair cannot execute the request. Compare it with the type and attributes of the queue pair.";
            case LOC_PROT_ERR ->
                "an element of the request names memory that its lkey does not cover. Compare addresses and lengths with the region's,"
                        + " and check that the region is still registered, in the same protection domain, and with LOCAL_WRITE if it is written.";
            case WR_FLUSH_ERR ->
                "the queue pair was in ERR, so the request was not executed. The cause is the first completion of that queue pair that"
                        + " failed otherwise, or the program's own change to ERR.";
            case MW_BIND_ERR ->
                "a memory window could not be bound. Its region must have MW_BIND and cover the window.";
            case BAD_RESP_ERR -> "the responder answered what the requester did not ask.";
            case LOC_ACCESS_ERR -> "a request of the peer touched memory that it may not touch.";
            case REM_INV_REQ_ERR ->
                "the responder refuses the request as invalid: a message too long for its receive, or an operation that its queue pair"
                        + " does not take, such as READs beyond max_dest_rd_atomic.";
            case REM_ACCESS_ERR ->
                "the responder refuses the rkey, the address or the right. Compare rkey and range with the peer's region, and its access"
                        + " flags and those of its queue pair.";
            case REM_OP_ERR -> "the responder could not complete the request. Its own completion or event says why.";
            case RETRY_EXC_ERR ->
                "no acknowledgement came in (retry_cnt + 1) times the timeout. The peer is gone or not yet in RTR, or GID, LID, queue pair"
                        + " number or PSN are not those of the peer.";
            case RNR_RETRY_EXC_ERR ->
                "the responder had no receive posted for the message, and rnr_retry is used up. Post receives before the peer sends;"
                        + " rnr_retry=7 retries for ever.";
            case FATAL_ERR -> "the device failed.";
            case RESP_TIMEOUT_ERR -> "the responder did not answer in time.";
            default -> "a status that this device does not give.";
        };
    }
}
