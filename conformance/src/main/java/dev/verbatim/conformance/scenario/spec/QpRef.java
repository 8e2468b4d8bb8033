// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import java.util.regex.Pattern;

/**
 * One end of a connection: {@code a.left}, or {@code a} for its queue pair {@value QpSpec#USUAL_NAME}.
 *
 * @param node name of the node
 * @param qp name of its queue pair
 */
public record QpRef(String node, String qp) {

    private static final Pattern PATTERN = Pattern.compile(Forms.NAME + "(\\." + Forms.NAME + ")?");

    /** In a file. */
    public static final Form<QpRef> FORM = Forms.parsed(
            "an end of a connection, such as a or a.left: a node and its queue pair",
            PATTERN,
            QpRef::parse,
            QpRef::toString);

    /** The queue pair of a node that names none. */
    public static QpRef of(String node) {
        return new QpRef(node, QpSpec.USUAL_NAME);
    }

    private static QpRef parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? of(text) : new QpRef(text.substring(0, dot), text.substring(dot + 1));
    }

    @Override
    public String toString() {
        return qp.equals(QpSpec.USUAL_NAME) ? node : node + "." + qp;
    }
}
