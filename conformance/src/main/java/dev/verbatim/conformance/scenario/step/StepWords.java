// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Variants;
import dev.verbatim.conformance.scenario.form.YamlText;
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
        Variants<Step> table = new Variants<>("a step");
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
                        Tell.word(),
                        Await.word(),
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
                        Cut.cut(),
                        Cut.heal())
                .forEach(word -> word.addTo(table));
        return table;
    }
}
