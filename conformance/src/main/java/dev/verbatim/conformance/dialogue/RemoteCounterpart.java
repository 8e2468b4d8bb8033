// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.transport.netty.Endpoint;
import dev.verbatim.transport.netty.OutOfBand;

/** Right in another process, asked over the conversation. */
final class RemoteCounterpart implements Counterpart {

    private final OutOfBand line;

    RemoteCounterpart(OutOfBand line) {
        this.line = line;
    }

    @Override
    public void prepare(Step step) {
        Protocol.ask(line, Protocol.PREPARE, Protocol.word(Protocol.PREPARE, step.number()));
    }

    @Override
    public Outcome conclude(Step step, boolean leftIsContent) {
        Endpoint question = Protocol.conclude(step, leftIsContent);
        return Protocol.outcome(Diagram.RIGHT, Protocol.ask(line, Protocol.CONCLUDE, question));
    }
}
