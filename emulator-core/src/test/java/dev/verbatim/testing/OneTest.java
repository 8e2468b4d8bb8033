// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * What JUnit made of one test, run apart from all others.
 *
 * @param outcome what it threw; null if it passed
 * @param reported the values that it published
 */
public record OneTest(@Nullable Throwable outcome, List<String> reported) {

    /** Runs the test method of that name. */
    public static OneTest run(Class<?> test, String method) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectMethod(
                        test,
                        List.of(test.getDeclaredMethods()).stream()
                                .filter(candidate -> candidate.getName().equals(method))
                                .findFirst()
                                .orElseThrow()))
                .build();
        List<TestExecutionResult> results = new ArrayList<>();
        List<String> reported = new ArrayList<>();
        // Without the listeners of this build: what fails here is no failure of it.
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(alone).execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
                // A container counts if it fails: its tests do not run then.
                if (identifier.isTest() || result.getThrowable().isPresent()) {
                    results.add(result);
                }
            }

            @Override
            public void reportingEntryPublished(TestIdentifier identifier, ReportEntry entry) {
                reported.addAll(entry.getKeyValuePairs().values());
            }
        });
        assertThat(results).as("tests run").hasSize(1);
        return new OneTest(results.get(0).getThrowable().orElse(null), reported);
    }
}
