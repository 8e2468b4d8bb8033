// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.control;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number, a register, or an operation on two of these, modulo 2<sup>64</sup>.
 *
 * @param right the second operand; null if there is no operation
 */
record Expression(Operand left, String operator, @Nullable Operand right) {

    private static final Pattern PATTERN = Pattern.compile(
            "(?<left>" + Operand.PATTERN + ")( (?<operator>[-+*&|^]|<<|>>) (?<right>" + Operand.PATTERN + "))?");

    private static final String WHAT = "a register or number, or two with + - * & | ^ << or >> between, such as a + 1";

    /** In a file. */
    static final Form<Expression> FORM = Forms.either(
            Forms.converted(
                    Forms.word(),
                    number -> new Expression(Operand.of(number), "", null),
                    expression -> Long.parseLong(expression.left.text())),
            expression -> expression.right == null && Operand.asNumber(expression.left.text()) != null,
            Forms.parsed(
                    WHAT,
                    Pattern.compile(PATTERN.pattern().replaceAll("[?]<[a-z]+>", "")),
                    Expression::parse,
                    Expression::toString),
            WHAT);

    private static Expression parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is not " + WHAT);
        }
        String right = matcher.group("right");
        return new Expression(
                new Operand(matcher.group("left")),
                right == null ? "" : matcher.group("operator"),
                right == null ? null : new Operand(right));
    }

    void check(NameScope scope, String key) {
        left.check(scope, key);
        if (right != null) {
            right.check(scope, key);
        }
    }

    /** Its value as a register holds it; null, and a failure of the step, if there is none. */
    @Nullable
    String value(StepContext context) {
        String first = left.value(context);
        if (right == null || first == null) {
            return first;
        }
        String second = right.value(context);
        if (second == null) {
            return null;
        }
        Long a = Operand.asNumber(first);
        Long b = Operand.asNumber(second);
        if (a == null || b == null) {
            context.fail(this + " computes with " + (a == null ? first : second) + ", which is no number");
            return null;
        }
        return String.valueOf(compute(a, b));
    }

    private long compute(long a, long b) {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "&" -> a & b;
            case "|" -> a | b;
            case "^" -> a ^ b;
            case "<<" -> a << b;
            default -> a >>> b;
        };
    }

    @Override
    public String toString() {
        return right == null ? left.text() : left + " " + operator + " " + right;
    }
}
