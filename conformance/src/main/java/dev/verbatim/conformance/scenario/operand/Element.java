// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.operand;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import java.util.List;

/** What one scatter/gather element names: a place in memory, or a number that is put into memory for it. */
public sealed interface Element permits Place, Literal {

    /** In a file: a number, or a place. */
    Form<Element> FORM = Forms.either(
            Forms.converted(Forms.word(), Literal::new, element -> ((Literal) element).value()),
            Literal.class::isInstance,
            Forms.converted(Place.FORM, place -> place, Place.class::cast),
            "a place such as x or buffer+8:16, or a number");

    /** A list of elements, or one without brackets. */
    Form<List<Element>> LIST = Forms.oneOrMany(FORM);
}
