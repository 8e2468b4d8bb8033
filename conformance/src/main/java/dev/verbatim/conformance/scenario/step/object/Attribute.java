// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.node.QpBringUp;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An attribute of a queue pair: its word, and how it is set and asked for. */
public record Attribute<T>(
        String word, Form<T> form, Setter<T> setter, Function<QpAttributes, @Nullable Object> getter) {

    /** Sets the attribute. */
    interface Setter<T> {
        void set(StepContext context, String qp, QpAttributes attributes, T value);
    }

    private static final int MOST_ANYTHING = Integer.MAX_VALUE;
    private static final Form<Integer> NUMBER = Forms.integer(Integer.MIN_VALUE, MOST_ANYTHING);

    /** Names the peer: both its device and the number of its queue pair. */
    private static final String PEER = "peer";

    /** The words; an attribute that is added needs a row here, which a test checks. Illegal values can be said. */
    public static final List<Attribute<?>> ALL = List.of(
            of("state", state(), QpAttributes::state, QpAttributes::state),
            of("cur_state", state(), QpAttributes::currentState, QpAttributes::currentState),
            of("en_sqd_async_notify", Forms.flag(), QpAttributes::notifyDrained, QpAttributes::notifyDrained),
            of("access_flags", FlagWords.ACCESS, QpAttributes::accessFlags, QpAttributes::accessFlags),
            of("pkey_index", NUMBER, QpAttributes::pkeyIndex, QpAttributes::pkeyIndex),
            of("port_num", NUMBER, QpAttributes::portNumber, QpAttributes::portNumber),
            of("qkey", Forms.halfWord(), QpAttributes::queueKey, QpAttributes::queueKey),
            of("path_mtu", LinkSpec.MTU, QpAttributes::pathMtu, QpAttributes::pathMtu),
            of("timeout", NUMBER, QpAttributes::timeout, QpAttributes::timeout),
            of("retry_cnt", NUMBER, QpAttributes::retryCount, QpAttributes::retryCount),
            of("rnr_retry", NUMBER, QpAttributes::rnrRetry, QpAttributes::rnrRetry),
            of("rq_psn", NUMBER, QpAttributes::rqPsn, QpAttributes::rqPsn),
            of("max_rd_atomic", NUMBER, QpAttributes::maxRdAtomic, QpAttributes::maxRdAtomic),
            of("min_rnr_timer", NUMBER, QpAttributes::minRnrTimer, QpAttributes::minRnrTimer),
            of("sq_psn", NUMBER, QpAttributes::sqPsn, QpAttributes::sqPsn),
            of("max_dest_rd_atomic", NUMBER, QpAttributes::maxDestRdAtomic, QpAttributes::maxDestRdAtomic),
            of("dest_qp_num", NUMBER, QpAttributes::destinationQp, QpAttributes::destinationQp),
            new Attribute<>(PEER, QpRef.FORM, Attribute::setPeer, attributes -> null));

    private static <T> Attribute<T> of(
            String word,
            Form<T> form,
            BiFunction<QpAttributes, T, QpAttributes> setter,
            Function<QpAttributes, T> get) {
        return new Attribute<>(
                word,
                form,
                (context, qp, attributes, value) -> {
                    QpAttributes unused = setter.apply(attributes, value);
                },
                get::apply);
    }

    private static Form<QpState> state() {
        return Forms.constant("a state of a queue pair", QpState.class);
    }

    private static void setPeer(StepContext context, String qp, QpAttributes attributes, QpRef peer) {
        attributes
                .addressVector(QpBringUp.way(context, qp, peer))
                .destinationQp(context.node(peer.node()).qp(peer.qp()).number());
    }

    /** Checks the names in values of attributes. */
    static void check(Map<String, Object> values, NameScope scope, String key) {
        if (values.get(PEER) instanceof QpRef end) {
            scope.end(key, end);
        }
    }

    @SuppressWarnings("unchecked") // the value was made by this attribute's form
    void set(StepContext context, String qp, QpAttributes attributes, Object value) {
        setter.set(context, qp, attributes, (T) value);
    }

    /** The keys of all attributes in a mapping, and what reads their values from it. */
    static <R> Function<Values, Map<String, Object>> keys(Mapping<R> mapping, Function<R, Map<String, Object>> getter) {
        BiConsumer<Values, Map<String, Object>> all = (values, map) -> {};
        for (Attribute<?> attribute : ALL) {
            all = all.andThen(attribute.key(mapping, getter));
        }
        BiConsumer<Values, Map<String, Object>> reader = all;
        return values -> {
            Map<String, Object> map = new LinkedHashMap<>();
            reader.accept(values, map);
            return map;
        };
    }

    @SuppressWarnings("unchecked") // as in set
    private <R> BiConsumer<Values, Map<String, Object>> key(
            Mapping<R> mapping, Function<R, Map<String, Object>> getter) {
        Key<R, T> key = mapping.perhaps(
                word, form, record -> (T) getter.apply(record).get(word), "The attribute of that name.");
        return (values, map) -> {
            Object value = values.orNull(key);
            if (value != null) {
                map.put(word, value);
            }
        };
    }
}
