// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Device;

/**
 * An address handle of a node.
 *
 * @param portNumber port by which it leads to the port of that number of the other node, from 1
 */
public record AhSpec(String node, String pd, int trafficClass, int flowLabel, int hopLimit, int portNumber) {

    private static final Form<String> NODE = Forms.name("the name of a node");

    private static final int USUAL_HOP_LIMIT = 64;
    private static final int MOST_BYTE = 255;
    private static final int MOST_FLOW_LABEL = (1 << 20) - 1;

    /** In a file: the node, or a mapping. */
    public static final Form<AhSpec> FORM = form();

    /** A handle of a port with the usual GRH. */
    public AhSpec(String node, String pd, int portNumber) {
        this(node, pd, 0, 0, USUAL_HOP_LIMIT, portNumber);
    }

    /** A handle in the usual domain with the usual GRH. */
    public static AhSpec to(String node) {
        return new AhSpec(node, RegionSpec.USUAL_PD, 1);
    }

    /** The way to that device. */
    public AddressVector to(Device destination) {
        return AddressVector.to(destination.queryGid(portNumber, 0))
                .withPort(portNumber)
                .withGrh(trafficClass, flowLabel, hopLimit);
    }

    /** Whether traffic class, flow label or hop limit are not the usual ones. */
    public boolean hasOwnWay() {
        return trafficClass != 0 || flowLabel != 0 || hopLimit != USUAL_HOP_LIMIT;
    }

    private static Form<AhSpec> form() {
        Mapping<AhSpec> mapping = new Mapping<>("ah", "an address handle");
        Key<AhSpec, String> node = mapping.required("node", NODE, AhSpec::node, "The node that it leads to.");
        Key<AhSpec, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                AhSpec::pd,
                "Protection domain.");
        Key<AhSpec, Integer> trafficClass = mapping.optional(
                "traffic_class", Forms.integer(0, MOST_BYTE), 0, AhSpec::trafficClass, "Traffic class of the GRH.");
        Key<AhSpec, Integer> flowLabel = mapping.optional(
                "flow_label", Forms.integer(0, MOST_FLOW_LABEL), 0, AhSpec::flowLabel, "Flow label of the GRH.");
        Key<AhSpec, Integer> hopLimit = mapping.optional(
                "hop_limit", Forms.integer(0, MOST_BYTE), USUAL_HOP_LIMIT, AhSpec::hopLimit, "Hop limit of the GRH.");
        Key<AhSpec, Integer> port = mapping.optional(
                "port_num",
                QpSpec.PORT,
                1,
                AhSpec::portNumber,
                "Port by which it leads to the port of that number of the other node, from 1.");
        mapping.making(values -> new AhSpec(
                values.get(node),
                values.get(pd),
                values.get(trafficClass),
                values.get(flowLabel),
                values.get(hopLimit),
                values.get(port)));
        return Forms.shortOr(Forms.converted(NODE, AhSpec::to, AhSpec::node), ah -> ah.equals(to(ah.node)), mapping);
    }
}
