// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.step.QueriedAttributes;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.PortState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks for the attributes of a port of the node's device. */
public record QueryPort(
        Map<String, Object> wanted,
        int port,
        Map<String, String> into,
        @Nullable ExpectedError error) implements Step {

    /** The words; an attribute that is added needs a row here, in the same order, which a test checks. */
    public static final QueriedAttributes<PortAttributes> FACTS = new QueriedAttributes<PortAttributes>()
            .add("state", Forms.constant("a state of a port", PortState.class), PortAttributes::state)
            .add("max_mtu", LinkSpec.MTU, PortAttributes::maxMtu)
            .add("active_mtu", LinkSpec.MTU, PortAttributes::activeMtu)
            .add("max_msg_sz", Forms.word(), PortAttributes::maxMessageBytes)
            .count("gid_tbl_len", PortAttributes::gidCount)
            .count("pkey_tbl_len", PortAttributes::pkeyCount)
            .count("bad_pkey_cntr", PortAttributes::badPkeys)
            .count("qkey_viol_cntr", PortAttributes::badQueueKeys)
            .count("lid", PortAttributes::lid)
            .count("sm_lid", PortAttributes::subnetManagerLid)
            .count("lmc", PortAttributes::lidMaskCount)
            .count("sm_sl", PortAttributes::subnetManagerServiceLevel)
            .count("subnet_timeout", PortAttributes::subnetTimeout)
            .count("init_type_reply", PortAttributes::initTypeReply)
            .count("max_vl_num", PortAttributes::virtualLanes)
            .count("active_width", port -> port.activeWidth().number())
            .count("active_speed", port -> port.activeSpeed().number())
            .count("phys_state", PortAttributes::physicalState)
            .add("link_layer", Forms.constant("what is under a port", LinkLayer.class), PortAttributes::linkLayer)
            .count("flags", PortAttributes::flags);

    /** Copies the maps. */
    public QueryPort {
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** How it is written. */
    public static StepWord<QueryPort> word() {
        StepWord<QueryPort> word = new StepWord<>("query_port", QueryPort.class);
        Key<QueryPort, Map<String, Object>> head = word.head(
                FACTS.wanted("port_attributes", "the attributes of a port"),
                QueryPort::wanted,
                "Attributes that the port must have.");
        Key<QueryPort, Integer> port =
                word.optional("port_num", Forms.integer(0, 255), 1, QueryPort::port, "Port, from 1.");
        Key<QueryPort, Map<String, String>> into = word.optional(
                "into", FACTS.into("an attribute of a port"), Map.of(), QueryPort::into, "Registers by attribute.");
        Key<QueryPort, ExpectedError> error = word.error(QueryPort::error);
        return word.making(
                values -> new QueryPort(values.get(head), values.get(port), values.get(into), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> FACTS.see(context, context.node().device().queryPort(port), wanted, into));
    }
}
