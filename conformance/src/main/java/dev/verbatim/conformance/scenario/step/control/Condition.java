// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.control;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comparison of a register with a number, another register, or a word such as SUCCESS.
 *
 * @param right what is no register and no number is a word
 */
public record Condition(String left, String comparison, String right) {

    private static final Pattern PATTERN =
            Pattern.compile("(" + Forms.NAME.pattern() + ") (==|!=|<=|>=|<|>) (" + Operand.PATTERN + ")");

    private static final Pattern WORD = Pattern.compile("[A-Z][A-Z0-9_]*|none");

    /** In a file. */
    static final Form<Condition> FORM = Forms.parsed(
            "a comparison of a register by == != < <= > or >=, such as r == 1",
            PATTERN,
            Condition::parse,
            Condition::toString);

    private static Condition parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is no comparison; write it like r == 1");
        }
        return new Condition(matcher.group(1), matcher.group(2), matcher.group(3));
    }

    private boolean isWord() {
        return WORD.matcher(right).matches();
    }

    void check(NameScope scope, String key) {
        new Operand(left).check(scope, key);
        if (!isWord()) {
            new Operand(right).check(scope, key);
        } else if (!comparison.equals("==") && !comparison.equals("!=")) {
            scope.problem(key, right + " is a word, which is not less or more than another; compare by == or !=");
        }
    }

    /** Whether it is so; a failure of the step, and false, if that cannot be said. */
    public boolean holds(StepContext context) {
        String first = new Operand(left).value(context);
        String second = isWord() ? right : new Operand(right).value(context);
        if (first == null || second == null) {
            return false;
        }
        if (comparison.equals("==") || comparison.equals("!=")) {
            return first.equals(second) == comparison.equals("==");
        }
        Long a = Operand.asNumber(first);
        Long b = Operand.asNumber(second);
        if (a == null || b == null) {
            context.fail(this + " compares " + (a == null ? first : second) + ", which is no number");
            return false;
        }
        return switch (comparison) {
            case "<" -> a < b;
            case "<=" -> a <= b;
            case ">" -> a > b;
            default -> a >= b;
        };
    }

    @Override
    public String toString() {
        return left + " " + comparison + " " + right;
    }
}
