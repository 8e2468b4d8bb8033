// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.PathMtu;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * How much less than usual the device of a node offers, or how many ports. No limit can be raised that would let a file ask for more
 * memory than the device is made for.
 *
 * @param values the limits that differ, under the words of {@link #LIMITS}
 */
public record LimitSpec(Map<String, Integer> values) {

    /** A limit: its value in a set of limits, and the least and the most that a file may choose. */
    record Limit(ToIntFunction<DeviceLimits> getter, int least, int most) {

        /** One that is not raised. */
        Limit(ToIntFunction<DeviceLimits> getter, int least) {
            this(getter, least, getter.applyAsInt(DeviceLimits.DEFAULT));
        }

        private boolean isRaised() {
            return most > getter.applyAsInt(DeviceLimits.DEFAULT);
        }

        private Form<Integer> form() {
            return Forms.integer(least, most);
        }
    }

    private static final String ACTIVE_MTU = "active_mtu";

    /** The limits; a limit that is added to the device needs a row here and in {@link #over}, which a test checks. */
    public static final Map<String, Limit> LIMITS = limitTable();

    /** As usual. */
    public static final LimitSpec USUAL = new LimitSpec(Map.of());

    /** In a file: a mapping of limits. */
    public static final Form<LimitSpec> FORM = form();

    /** Copies the map. */
    public LimitSpec {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Those limits, except what this says. */
    public DeviceLimits over(DeviceLimits base) {
        return new DeviceLimits(
                value("max_pd", base),
                value("max_mr", base),
                value("max_mw", base),
                value("max_qp", base),
                value("max_qp_wr", base),
                value("max_sge", base),
                value("max_inline_data", base),
                value("max_cq", base),
                value("max_cqe", base),
                value("max_ah", base),
                value("max_srq", base),
                value("max_srq_wr", base),
                value("max_srq_sge", base),
                value("max_xrcd", base),
                value("max_qp_rd_atom", base),
                value("max_qp_init_rd_atom", base),
                value("num_comp_vectors", base),
                value(ACTIVE_MTU, base),
                base.maxMrSizeBytes(),
                value("phys_port_cnt", base));
    }

    private int value(String word, DeviceLimits base) {
        Integer own = values.get(word);
        Limit limit = LIMITS.get(word);
        if (limit == null) {
            throw new IllegalStateException("limit=" + word + " has no row; add it to LIMITS");
        }
        return own == null ? limit.getter.applyAsInt(base) : own;
    }

    private static Map<String, Limit> limitTable() {
        Map<String, Limit> words = new LinkedHashMap<>();
        words.put("max_pd", new Limit(DeviceLimits::maxPd, 1));
        words.put("max_mr", new Limit(DeviceLimits::maxMr, 1));
        words.put("max_mw", new Limit(DeviceLimits::maxMw, 1));
        words.put("max_qp", new Limit(DeviceLimits::maxQp, 1));
        words.put("max_qp_wr", new Limit(DeviceLimits::maxQpWr, 1));
        words.put("max_sge", new Limit(DeviceLimits::maxSge, 1));
        words.put("max_inline_data", new Limit(DeviceLimits::maxInlineDataBytes, 0));
        words.put("max_cq", new Limit(DeviceLimits::maxCq, 1));
        words.put("max_cqe", new Limit(DeviceLimits::maxCqe, 1));
        words.put("max_ah", new Limit(DeviceLimits::maxAh, 1));
        words.put("max_srq", new Limit(DeviceLimits::maxSrq, 1));
        words.put("max_srq_wr", new Limit(DeviceLimits::maxSrqWr, 1));
        words.put("max_srq_sge", new Limit(DeviceLimits::maxSrqSge, 1));
        words.put("max_xrcd", new Limit(DeviceLimits::maxXrcd, 1));
        words.put("max_qp_rd_atom", new Limit(DeviceLimits::maxQpRdAtom, 0));
        words.put("max_qp_init_rd_atom", new Limit(DeviceLimits::maxQpInitRdAtom, 0));
        words.put("num_comp_vectors", new Limit(DeviceLimits::completionVectors, 1));
        words.put(ACTIVE_MTU, new Limit(DeviceLimits::activeMtuBytes, PathMtu.MTU_256.bytes()));
        words.put("phys_port_cnt", new Limit(DeviceLimits::physicalPorts, 1, DeviceLimits.MOST_PHYSICAL_PORTS));
        return Collections.unmodifiableMap(words);
    }

    private static Form<LimitSpec> form() {
        Mapping<LimitSpec> mapping = new Mapping<>("limits", "the limits of a device");
        Map<String, Key<LimitSpec, Integer>> keys = new LinkedHashMap<>();
        LIMITS.forEach((word, limit) -> keys.put(
                word,
                mapping.perhaps(
                        word,
                        word.equals(ACTIVE_MTU)
                                ? Forms.converted(LinkSpec.MTU, PathMtu::bytes, PathMtu::ofBytes)
                                : limit.form(),
                        spec -> spec.values.get(word),
                        limit.isRaised()
                                ? "The limit of that name of the device."
                                : "The limit of that name of the device; at most the usual one.")));
        return mapping.making(values -> {
            Map<String, Integer> limits = new LinkedHashMap<>();
            keys.forEach((word, key) -> {
                Integer value = values.orNull(key);
                if (value != null) {
                    limits.put(word, value);
                }
            });
            return new LimitSpec(limits);
        });
    }
}
