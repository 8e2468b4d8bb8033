// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.call.Library;
import java.util.ArrayList;
import java.util.List;

/** Functions that a program calls through the members of a struct. */
final class FunctionTable {

    private record Member(Field.I64 field, String operation) {}

    private final List<Member> members = new ArrayList<>();

    /** Adds a member, with the name of the function in symbols.txt. */
    FunctionTable with(Field.I64 field, String operation) {
        members.add(new Member(field, operation));
        return this;
    }

    /** Writes the pointers into a struct. */
    void fill(long struct) {
        for (Member member : members) {
            member.field().set(struct, Library.pointerTo(member.operation()));
        }
    }
}
