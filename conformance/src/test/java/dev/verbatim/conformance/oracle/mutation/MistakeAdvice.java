// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Code that is put around the body of each method that can make a mistake. */
final class MistakeAdvice {

    /** What the method is called in {@link Mistakes#make}. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.PARAMETER)
    @interface Name {}

    private MistakeAdvice() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static Object enter(
            @Name String name,
            @Advice.This(optional = true) Object self,
            @Advice.Origin Method method,
            @Advice.AllArguments(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object[] arguments)
            throws ReflectiveOperationException {
        if (!Mistakes.isMadeBy(name)) {
            return null;
        }
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
