// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Variants;
import java.util.List;

/** The one table of the words with which steps begin: what reads them, writes them and tells editors of them. */
public final class StepWords {

    private static final Variants<Step> WORDS = words();

    /** Steps in a file. */
    public static final Form<Step> FORM = WORDS;

    private StepWords() {}

    /** The words. */
    public static List<String> heads() {
        return WORDS.heads();
    }

    private static Variants<Step> words() {
        Variants<Step> words = new Variants<>("a step");
        PostWords.addTo(words);
        return words.add("recv", Receive.word(), Receive.class, step -> true)
                .add("chain", Chain.word(), Chain.class, step -> true)
                .add("completion", AwaitCompletion.word(), AwaitCompletion.class, step -> true)
                .add("no_completion", NoCompletion.word(), NoCompletion.class, step -> true)
                .add("arm", Arm.word(), Arm.class, step -> true)
                .add("notified", AwaitNotification.word(), AwaitNotification.class, step -> true)
                .add("event", AwaitEvent.word(), AwaitEvent.class, step -> true)
                .add("ack", Acknowledge.word(), Acknowledge.class, step -> true)
                .add("no_event", NoEvent.word(), NoEvent.class, step -> true)
                .add("poll", Poll.word(), Poll.class, step -> true)
                .add("load", Load.word(), Load.class, step -> true)
                .add("store", Store.word(), Store.class, step -> true)
                .add("until", Until.word(), Until.class, step -> true)
                .add("expect", Expect.word(), Expect.class, step -> true)
                .add("tell", Tell.word(), Tell.class, step -> true)
                .add("await", Await.word(), Await.class, step -> true)
                .add("register", Register.word(), Register.class, step -> true)
                .add("deregister", Deregister.word(), Deregister.class, step -> true)
                .add("reregister", Reregister.word(), Reregister.class, step -> true)
                .add("alloc_mw", AllocateWindow.word(), AllocateWindow.class, step -> true)
                .add("bind_mw", BindWindow.word(), BindWindow.class, step -> true)
                .add("expect_mw", ExpectWindow.word(), ExpectWindow.class, step -> true)
                .add("dealloc_mw", DeallocateWindow.word(), DeallocateWindow.class, step -> true)
                .add("connect", Connect.word(), Connect.class, step -> true)
                .add("modify", Modify.word(), Modify.class, step -> true)
                .add("query", Query.word(), Query.class, step -> true)
                .add("query_device", QueryDevice.word(), QueryDevice.class, step -> true)
                .add("query_mr", QueryMr.word(), QueryMr.class, step -> true)
                .add("query_port", QueryPort.word(), QueryPort.class, step -> true)
                .add("query_gid", QueryGid.word(), QueryGid.class, step -> true)
                .add("query_pkey", QueryPkey.word(), QueryPkey.class, step -> true)
                .add("query_qp_data_in_order", QueryDataInOrder.word(), QueryDataInOrder.class, step -> true)
                .add("resize_cq", ResizeCq.word(), ResizeCq.class, step -> true)
                .add("modify_srq", ModifySrq.word(), ModifySrq.class, step -> true)
                .add("query_srq", QuerySrq.word(), QuerySrq.class, step -> true)
                .add("create", Create.word(), Create.class, step -> true)
                .add("destroy", Destroy.word(), Destroy.class, step -> true)
                .add("cut", Cut.word("cut", true), Cut.class, Cut::cut)
                .add("heal", Cut.word("heal", false), Cut.class, step -> !step.cut());
    }
}
