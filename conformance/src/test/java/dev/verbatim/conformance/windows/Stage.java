// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

/** Where steps are played. */
public interface Stage {

    /** See the step. */
    void allocate(Step.Allocate step);

    /** See the step. */
    void deallocate(Step.Deallocate step);

    /** See the step. */
    void bind(Step.Bind step);

    /** See the step. */
    void invalidate(Step.Invalidate step);

    /** See the step. */
    void sendInvalidate(Step.SendInvalidate step);

    /** See the step. */
    void access(Step.Access step);

    /** See the step. */
    void register(Step.Register step);

    /** See the step. */
    void deregister(Step.Deregister step);

    /** See the step. */
    void end(Step.End step);

    /** See the step. */
    void mend(Step.Mend step);

    /** See the step. */
    void ready(Step.Ready step);

    /** See the step. */
    void freePd(Step.FreePd step);
}
