// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Variants;
import dev.verbatim.conformance.scenario.form.YamlText;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Cut;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.conformance.scenario.step.await.Acknowledge;
import dev.verbatim.conformance.scenario.step.await.Arm;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.AwaitEvent;
import dev.verbatim.conformance.scenario.step.await.AwaitNotification;
import dev.verbatim.conformance.scenario.step.await.NoCompletion;
import dev.verbatim.conformance.scenario.step.await.NoEvent;
import dev.verbatim.conformance.scenario.step.await.Poll;
import dev.verbatim.conformance.scenario.step.connect.AwaitCmEvent;
import dev.verbatim.conformance.scenario.step.connect.CmAccept;
import dev.verbatim.conformance.scenario.step.connect.CmConnect;
import dev.verbatim.conformance.scenario.step.connect.CmDisconnect;
import dev.verbatim.conformance.scenario.step.connect.CmEstablish;
import dev.verbatim.conformance.scenario.step.connect.CmListen;
import dev.verbatim.conformance.scenario.step.connect.CmReject;
import dev.verbatim.conformance.scenario.step.control.Assume;
import dev.verbatim.conformance.scenario.step.control.If;
import dev.verbatim.conformance.scenario.step.control.SetRegister;
import dev.verbatim.conformance.scenario.step.control.While;
import dev.verbatim.conformance.scenario.step.memory.Deregister;
import dev.verbatim.conformance.scenario.step.memory.Expect;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.QueryMr;
import dev.verbatim.conformance.scenario.step.memory.Register;
import dev.verbatim.conformance.scenario.step.memory.Reregister;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.conformance.scenario.step.object.Connect;
import dev.verbatim.conformance.scenario.step.object.Create;
import dev.verbatim.conformance.scenario.step.object.Destroy;
import dev.verbatim.conformance.scenario.step.object.Inject;
import dev.verbatim.conformance.scenario.step.object.Modify;
import dev.verbatim.conformance.scenario.step.object.ModifySrq;
import dev.verbatim.conformance.scenario.step.object.Query;
import dev.verbatim.conformance.scenario.step.object.QueryDataInOrder;
import dev.verbatim.conformance.scenario.step.object.QueryDevice;
import dev.verbatim.conformance.scenario.step.object.QueryGid;
import dev.verbatim.conformance.scenario.step.object.QueryPkey;
import dev.verbatim.conformance.scenario.step.object.QueryPort;
import dev.verbatim.conformance.scenario.step.object.QuerySrq;
import dev.verbatim.conformance.scenario.step.object.ResizeCq;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.PostWords;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.conformance.scenario.step.visibility.Fence;
import dev.verbatim.conformance.scenario.step.visibility.FlushGpu;
import dev.verbatim.conformance.scenario.step.visibility.Launch;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.visibility.PowerFail;
import dev.verbatim.conformance.scenario.step.visibility.Synchronize;
import dev.verbatim.conformance.scenario.step.window.AllocateWindow;
import dev.verbatim.conformance.scenario.step.window.BindWindow;
import dev.verbatim.conformance.scenario.step.window.DeallocateWindow;
import dev.verbatim.conformance.scenario.step.window.ExpectWindow;
import java.util.List;
import java.util.stream.Stream;

/** The table of the words that steps begin with: it reads, writes and describes steps. */
public final class StepWords {

    private static final Variants<Step> TABLE = table();

    /** Steps in a file. */
    public static final Form<Step> FORM = TABLE;

    private StepWords() {}

    /** The words. */
    public static List<String> heads() {
        return TABLE.heads();
    }

    /** A step as it would stand in a file, on one line. */
    public static String text(Step step) {
        return YamlText.line(TABLE.write(step));
    }

    private static Variants<Step> table() {
        Variants<Step> table = new Variants<>("a step", "step");
        PostWords.words().forEach(word -> word.addTo(table));
        Stream.of(
                        Receive.word(),
                        Chain.word(),
                        AwaitCompletion.word(),
                        NoCompletion.word(),
                        Arm.word(),
                        AwaitNotification.word(),
                        AwaitEvent.word(),
                        Acknowledge.word(),
                        NoEvent.word(),
                        Poll.word(),
                        Load.word(),
                        Store.word(),
                        Until.word(),
                        Expect.word(),
                        Signal.word(),
                        AwaitSignal.word(),
                        Register.word(),
                        Deregister.word(),
                        Reregister.word(),
                        AllocateWindow.word(),
                        BindWindow.word(),
                        ExpectWindow.word(),
                        DeallocateWindow.word(),
                        Connect.word(),
                        CmListen.word(),
                        CmConnect.word(),
                        AwaitCmEvent.word(),
                        CmAccept.word(),
                        CmReject.word(),
                        CmEstablish.word(),
                        CmDisconnect.word(),
                        Modify.word(),
                        Query.word(),
                        QueryDevice.word(),
                        QueryMr.word(),
                        QueryPort.word(),
                        QueryGid.word(),
                        QueryPkey.word(),
                        QueryDataInOrder.word(),
                        ResizeCq.word(),
                        ModifySrq.word(),
                        QuerySrq.word(),
                        Create.word(),
                        Destroy.word(),
                        Launch.word(),
                        Synchronize.word(),
                        FlushGpu.word(),
                        Fence.word(),
                        Persist.word())
                .forEach(word -> word.addTo(table));
        failures().forEach(word -> word.addTo(table));
        decisions(table).forEach(word -> word.addTo(table));
        return table;
    }

    /** Words of steps that let something fail. */
    private static Stream<StepWord<?>> failures() {
        return Stream.of(PowerFail.word(), Cut.cut(), Cut.heal(), Inject.word());
    }

    /** Words of steps that decide which steps are next. */
    private static Stream<StepWord<?>> decisions(Variants<Step> steps) {
        return Stream.of(SetRegister.word(), If.word(steps), While.word(steps), Assume.word());
    }
}
