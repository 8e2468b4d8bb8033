// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.transport.netty.OutOfBand;

/** Right in another process, asked over the conversation. */
final class RemoteActor implements Actor {

    private final OutOfBand line;

    RemoteActor(OutOfBand line) {
        this.line = line;
    }

    @Override
    public void prepare(Step step) {
        Protocol.ask(line, Protocol.PREPARE, Protocol.word(Protocol.PREPARE, step.number()));
    }

    @Override
    public Outcome perform(Step step) {
        return Protocol.outcome(
                Diagram.RIGHT, Protocol.ask(line, Protocol.PERFORM, Protocol.word(Protocol.PERFORM, step.number())));
    }

    @Override
    public Outcome conclude(Step step, boolean otherIsContent) {
        return Protocol.outcome(
                Diagram.RIGHT, Protocol.ask(line, Protocol.CONCLUDE, Protocol.conclude(step, otherIsContent)));
    }
}
