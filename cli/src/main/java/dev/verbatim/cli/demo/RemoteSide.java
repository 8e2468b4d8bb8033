// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.transport.netty.OutOfBand;

/** Right in another process, asked over the conversation. */
final class RemoteSide implements DemoSide {

    private final OutOfBand line;

    RemoteSide(OutOfBand line) {
        this.line = line;
    }

    @Override
    public void prepare(DemoStep step) {
        LineProtocol.ask(line, LineProtocol.PREPARE, LineProtocol.word(LineProtocol.PREPARE, step.number()));
    }

    @Override
    public StepOutcome perform(DemoStep step) {
        return LineProtocol.outcome(
                Diagram.RIGHT,
                LineProtocol.ask(line, LineProtocol.PERFORM, LineProtocol.word(LineProtocol.PERFORM, step.number())));
    }

    @Override
    public StepOutcome conclude(DemoStep step, boolean otherIsContent) {
        return LineProtocol.outcome(
                Diagram.RIGHT,
                LineProtocol.ask(line, LineProtocol.CONCLUDE, LineProtocol.conclude(step, otherIsContent)));
    }
}
