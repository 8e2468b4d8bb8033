// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.SanitizerError;
import dev.verbatim.sim.RunTooLongException;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One paragraph about a run that failed: what happened, between whom, which rule permits it, and what to change. */
record FailureInWords(TestBody body, Throwable failure, List<Finding> findings, RunFacts facts) {

    private static final int MOST_NAMED = 3;

    private static final String LOST_WAKE_UP =
            "call requestNotify, poll once more, and wait only if that finds nothing";

    private static final String UNSOLICITED =
            "have the peer post what shall wake the program with SOLICITED, or call requestNotify(false)";

    /** The paragraph, in one line. */
    String paragraph() {
        List<String> sentences = new ArrayList<>();
        if (failure instanceof SanitizerError mistakes) {
            addMistake(sentences, mistakes.findings().get(0));
        } else if (isBy(Rule.NT_02)) {
            sentences.add(
                    "No solicited completion: a program waits for a completion event, and " + rootSentence() + ".");
            sentences.add(waits());
            sentences.add("A queue that is armed for solicited completions raises no event of others " + rules("NT-02")
                    + ".");
            sentences.add("Change: " + UNSOLICITED + ".");
        } else if (isBy(Rule.NT_01)) {
            sentences.add("Lost wake-up: a program waits for a completion event, and " + rootSentence() + ".");
            sentences.add(waits());
            sentences.add(
                    "A completion that was there before the queue was armed raises no event " + rules("NT-01") + ".");
            sentences.add("Change: " + LOST_WAKE_UP + ".");
        } else if (failure instanceof RunTooLongException) {
            addTooLong(sentences);
        } else if (isReceiverNotReady()) {
            addReceiverNotReady(sentences);
        } else if (!facts.faults().isEmpty() && hasFault()) {
            sentences.add("Fault of a link or device: " + whatFailed());
            sentences.add("Before that: " + String.join(", and ", facts.faults()) + ".");
            addPermission(sentences, mainPoint());
        } else if (isDeadlock()) {
            sentences.add("Deadlock: nothing is left to happen, and programs wait. " + waits());
            addHeld(sentences);
            sentences.add("A wait ends only if somebody does what it waits for " + rules("N-08") + ".");
            sentences.add(
                    "Change: let one of them do what the other waits for before it waits itself, or see that nothing of"
                            + " it is lost when it comes early.");
        } else if (facts.lastPolledFailure() != null && !(failure instanceof VerbsException)) {
            addFailedRequest(sentences, facts.lastPolledFailure());
        } else {
            sentences.add(title(mainPoint()) + whatFailed());
            addHeld(sentences);
            addPermission(sentences, mainPoint());
        }
        sentences.removeIf(String::isEmpty);
        return capitalized(String.join(" ", sentences));
    }

    /** What the sanitizer found first; nothing need have gone wrong. */
    private static void addMistake(List<String> sentences, Finding first) {
        sentences.add("Mistake that the rules permit: " + first.mistake().title() + ".");
        sentences.add(capitalized(first.sentence()) + ".");
        sentences.add("The rule is " + rules(first.rule().id())
                + "; the mistake is there whether or not this run had a wrong value.");
        sentences.add("Change: " + first.mistake().remedy() + ".");
    }

    private String title(@Nullable ChoicePoint point) {
        if (point == null || (point.kind() != ChoicePoint.Kind.ORDER && point != ChoicePoint.PLACEMENT_SPLIT)) {
            return "";
        }
        return switch (point) {
            case PLACEMENT, PLACEMENT_SPLIT -> isFlagSeen() ? "Flag seen before data: " : "Late placement: ";
            default -> "Unexpected order: ";
        };
    }

    /** Whether a program saw one word and then missed another. */
    private boolean isFlagSeen() {
        List<TraceEvent.ProgramTouched> loads = facts.loads();
        return loads.size() > 1
                && loads.get(0).device().equals(loads.get(1).device())
                && loads.get(0).address() != loads.get(1).address();
    }

    private boolean isInVain() {
        return failure instanceof VerbsException e && (e.errno() == Errno.EDEADLK || e.errno() == Errno.ETIMEDOUT);
    }

    private boolean isDeadlock() {
        return failure instanceof VerbsException e
                && (e.errno() == Errno.EDEADLK
                        || (e.errno() == Errno.ETIMEDOUT && e.refusal().brokenRule() == Rule.N_08));
    }

    /** Whether a wait was in vain, and that rule says why. */
    private boolean isBy(Rule rule) {
        for (Refusal each = isInVain() ? refusal() : null; each != null; each = each.cause()) {
            if (each.brokenRule() == rule) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Refusal refusal() {
        return failure instanceof VerbsException e ? e.refusal() : null;
    }

    private String rootSentence() {
        Refusal refusal = refusal();
        String sentence = refusal == null ? "" : refusal.root().sentence();
        int remedy = sentence.indexOf(';');
        return remedy < 0 ? sentence : sentence.substring(0, remedy);
    }

    private boolean isReceiverNotReady() {
        TraceEvent.Completed failed = facts.lastFailed();
        boolean isItsStatus = failed != null && failed.status().name().startsWith("RNR");
        return !facts.receiverNotReady().isEmpty() && (isInVain() || isItsStatus);
    }

    private void addReceiverNotReady(List<String> sentences) {
        sentences.add("Receiver not ready: " + whatFailed());
        facts.receiverNotReady()
                .forEach((who, times) -> sentences.add(String.format(
                        Locale.ROOT,
                        "There was no receive: %s sent %,d RNR NAK%s.",
                        who,
                        times,
                        times == 1 ? "" : "s")));
        addHeld(sentences);
        sentences.add(
                "A message that finds no receive is refused, and sent again after a while, as often as rnr_retry says, 7"
                        + " for ever " + rules("N15") + ".");
        sentences.add("Change: post receives before the peer may send, at the latest before telling it so, and one"
                + " more for each that completes.");
    }

    /** Its end is not known, so neither is what it needs. */
    private void addTooLong(List<String> sentences) {
        String message = firstLine(failure);
        int remedy = message.lastIndexOf("; ");
        sentences.add("No end in sight: " + message.substring(0, remedy) + ".");
        sentences.add("Change: " + message.substring(remedy + 2) + ".");
    }

    /** The completion that the program has polled last says what is wrong. */
    private void addFailedRequest(List<String> sentences, TraceEvent.Completed failed) {
        sentences.add("Failed request: " + whatFailed());
        Refusal refusal = failed.refusal();
        Refusal reason = refusal == null ? null : reason(refusal);
        String request = failed.opcode() + " wr_id=" + failed.workRequestId() + " of " + failed.device() + " 0x"
                + Integer.toHexString(failed.qp()) + " completed with " + failed.status();
        String why = reason == null ? "" : reason.ownSentence();
        int remedy = why.lastIndexOf("; ");
        sentences.add(request + (why.isEmpty() ? "" : ": " + (remedy < 0 ? why : why.substring(0, remedy)))
                + (reason == null ? "" : " " + rules(reason.rule())) + ".");
        addHeld(sentences);
        sentences.add(
                "Change: " + (remedy < 0 ? StatusWords.remedy(failed.status()) : why.substring(remedy + 2)) + ".");
    }

    /** The innermost one that says why, and not who. */
    private static Refusal reason(Refusal refusal) {
        Refusal reason = refusal;
        for (Refusal each = refusal; each != null; each = each.cause()) {
            reason = each.ownSentence().startsWith("used by ") ? reason : each;
        }
        return reason;
    }

    /** Where it failed, and the loads of the program there. */
    private String whatFailed() {
        StringBuilder text = new StringBuilder("at " + body.place(failure) + ": " + firstLine(failure) + ".");
        List<TraceEvent.ProgramTouched> loads = facts.loads();
        if (failure instanceof AssertionError && !loads.isEmpty()) {
            TraceEvent.ProgramTouched last = loads.get(loads.size() - 1);
            text.append(" Program ").append(last.device()).append(' ').append(load(last));
            TraceEvent.ProgramTouched earlier = loads.get(0);
            if (isFlagSeen()) {
                text.append(", after it ").append(load(earlier));
            }
            text.append('.');
        }
        return text.toString();
    }

    private static String load(TraceEvent.ProgramTouched touched) {
        return touched.toString().replaceFirst("^program +", "").replaceFirst("^loads", "loaded");
    }

    private static String firstLine(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
        return thrown instanceof VerbsException
                        || thrown instanceof AssertionError
                        || thrown instanceof RunTooLongException
                ? message
                : thrown.getClass().getSimpleName() + ": " + message;
    }

    /** Where each program waits that is in a wait. */
    private String waits() {
        List<String> waits = new ArrayList<>();
        String of = programOf(String.valueOf(failure.getMessage()));
        if (isInVain()) {
            waits.add((of.isEmpty() ? "The program" : "Program " + of) + " waits in " + verb(failure) + " at "
                    + body.place(failure));
        }
        for (Throwable other : failure.getSuppressed()) {
            String message = String.valueOf(other.getMessage());
            boolean hasBegun = message.endsWith("waits here");
            waits.add("program " + programOf(message)
                    + (hasBegun ? " waits in " + verb(other) + " at " + body.place(other) : " had not begun"));
        }
        return waits.isEmpty() ? "" : String.join(", ", waits) + ".";
    }

    private static String programOf(String message) {
        int begin = message.indexOf("program ");
        int end = begin < 0 ? -1 : message.indexOf(" waits", begin);
        end = begin >= 0 && end < 0 ? message.indexOf(" had not", begin) : end;
        return end < 0 ? "" : message.substring(begin + "program ".length(), end);
    }

    /** The verb that a program called last: the outermost of ours above the code of the test. */
    private static String verb(Throwable thrown) {
        String verb = "a wait";
        for (StackTraceElement frame : thrown.getStackTrace()) {
            boolean isOurs = frame.getClassName().startsWith("dev.verbatim.device.")
                    || frame.getClassName().startsWith("dev.verbatim.cm.")
                    || frame.getClassName().startsWith("dev.verbatim.networkdirect.")
                    || frame.getClassName().equals("dev.verbatim.sim.Node");
            if (isOurs) {
                verb = frame.getMethodName();
            }
        }
        return verb;
    }

    /** What was held up, and what happened meanwhile. */
    private void addHeld(List<String> sentences) {
        Map<String, Set<String>> held = new LinkedHashMap<>();
        for (RunFacts.Choice choice : facts.choices()) {
            if (!choice.waiting().isEmpty()) {
                held.computeIfAbsent(choice.waiting(), waiting -> new LinkedHashSet<>())
                        .add(inWords(choice.first()));
            }
        }
        int named = 0;
        for (Map.Entry<String, Set<String>> each : held.entrySet()) {
            if (named++ < MOST_NAMED) {
                String peer = facts.peerOf(each.getKey());
                sentences.add(
                        capitalized(inWords(each.getKey())) + (peer.isEmpty() ? "" : ", connected to " + peer + ",")
                                + " waited while others went first: " + listed(each.getValue()) + ".");
            }
        }
        if (held.size() > MOST_NAMED) {
            sentences.add((held.size() - MOST_NAMED) + " more waited; see the choices below.");
        }
    }

    /** An event as a trace tells it, as what it is. */
    private static String inWords(String event) {
        return event.replaceFirst("^(.*) shows (piece [0-9]+ of psn=[0-9]+)$", "the placement of $2 at $1")
                .replaceFirst("^(.*) request$", "the next request of $1")
                .replaceFirst("^(.*) response$", "the answer of $1")
                .replaceFirst("^(.*) (send|receive) completion ([0-9]+)$", "$2 completion $3 of $1")
                .replaceFirst("^packet ([0-9]+) ", "packet $1 ")
                .replaceFirst("^program (.*)$", "a step of program $1");
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static String listed(Set<String> names) {
        List<String> first = new ArrayList<>(names);
        String more = first.size() > MOST_NAMED ? " and " + (first.size() - MOST_NAMED) + " more" : "";
        return String.join(", ", first.subList(0, Math.min(MOST_NAMED, first.size()))) + more;
    }

    private boolean hasFault() {
        return facts.choices().stream().anyMatch(choice -> choice.point().kind() == ChoicePoint.Kind.FAULT);
    }

    /** The point that explains most: a fault, then a placement, then what was chosen last. */
    private @Nullable ChoicePoint mainPoint() {
        ChoicePoint main = null;
        for (RunFacts.Choice choice : facts.choices()) {
            if (main == null || weight(choice.point()) >= weight(main)) {
                main = choice.point();
            }
        }
        return main;
    }

    private static int weight(ChoicePoint point) {
        return switch (point) {
            case FAULT_LENGTH, PROGRAM_STEP -> 0;
            case PLACEMENT, PLACEMENT_SPLIT -> 2;
            default -> point.kind() == ChoicePoint.Kind.FAULT ? 3 : 1;
        };
    }

    private void addPermission(List<String> sentences, @Nullable ChoicePoint point) {
        if (point == null) {
            sentences.add("It fails with default choices, so it needs no freedom of devices or links.");
            Finding mistake =
                    findings.stream().filter(Finding::isError).findFirst().orElse(null);
            if (mistake != null) {
                addMistake(sentences, mistake);
            }
        } else {
            PointWords words = PointWords.of(point, facts.hasOneConnection());
            sentences.add("This is permitted: " + words.permits() + " "
                    + rules(point.rules().toArray(String[]::new)) + ".");
            sentences.add("Change: " + words.remedy() + ".");
        }
    }

    private static String rules(String... ids) {
        return "[" + String.join(", ", ids) + "]";
    }
}
