// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import java.lang.reflect.Method;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Code that is put around the body of the method that makes the mistake. */
final class MistakeAdvice {

    private MistakeAdvice() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static Object enter(
            @Advice.This(optional = true) Object self,
            @Advice.Origin Method method,
            @Advice.AllArguments(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object[] arguments)
            throws ReflectiveOperationException {
        Object[] changed = arguments;
        Object answer = Mistakes.enter(self, method, changed);
        arguments = changed;
        return answer;
    }

    @Advice.OnMethodExit
    static void exit(
            @Advice.Enter Object answer,
            @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object returned) {
        if (answer != null) {
            returned = ((Object[]) answer)[0];
        }
    }
}
