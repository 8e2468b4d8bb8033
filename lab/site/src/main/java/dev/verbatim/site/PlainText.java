// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.site;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** What a part of a document says without its markup, in one line: what a search looks at. */
final class PlainText extends AbstractVisitor {

    private final StringBuilder text = new StringBuilder();

    private PlainText() {}

    static String of(Node node) {
        PlainText plain = new PlainText();
        node.accept(plain);
        return plain.text.toString().strip().replaceAll("\\s+", " ");
    }

    @Override
    public void visit(Text part) {
        text.append(part.getLiteral());
    }

    @Override
    public void visit(Code code) {
        text.append(code.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock block) {
        text.append(block.getLiteral()).append(' ');
    }

    @Override
    public void visit(SoftLineBreak lineBreak) {
        text.append(' ');
    }

    @Override
    public void visit(HardLineBreak lineBreak) {
        text.append(' ');
    }

    @Override
    public void visit(Paragraph paragraph) {
        visitChildren(paragraph);
        text.append(' ');
    }

    @Override
    public void visit(CustomNode node) {
        visitChildren(node);
        if (node instanceof TableCell) {
            text.append(' ');
        }
    }
}
