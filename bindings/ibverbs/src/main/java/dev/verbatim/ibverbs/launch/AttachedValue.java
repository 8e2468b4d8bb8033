// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Of an option whose value may be left out: it is {@code yes} then, and the word behind the option is the program's. */
final class AttachedValue implements IParameterPreprocessor {

    private AttachedValue() {}

    @Override
    @SuppressWarnings("JdkObsolete") // the type is picocli's
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> facts) {
        if ("=".equals(facts.get("separator"))) {
            return false;
        }
        option.setValue("yes");
        return true;
    }
}
