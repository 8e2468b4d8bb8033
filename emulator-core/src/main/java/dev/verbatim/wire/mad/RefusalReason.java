// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Why a responder answered a request with a NAK: a question to queue pair 1 of the responder, and its answer. Only Verbatim devices
 * speak it, in a class of the range that the architecture leaves to vendors; the three bytes that name the vendor are not a
 * registered number but a locally administered one.
 *
 * <p>The body has at 0 the header of segmented transfers (12 bytes, zeros), at 12 a zero and the vendor (3), at 16 the version (1) and
 * zeros (3), at 20 the requester's queue pair (4), at 24 the responder's (4), at 28 the PSN of the NAK (4), at 32 the length of the rule
 * (1), at 33 that of the sentence (1), and then both. A question has neither.
 *
 * @param isAnswer whether it answers, or else asks
 * @param transactionId of the question, and of its answer
 * @param psn of the NAK
 * @param rule the id of a rule, at most 16 bytes; empty in a question
 * @param sentence without line breaks; at most {@value #MOST_TEXT_BYTES} bytes together with the rule, else it is cut
 */
public record RefusalReason(
        boolean isAnswer, long transactionId, int requesterQp, int responderQp, int psn, String rule, String sentence) {

    /** The management class of both. */
    public static final int MANAGEMENT_CLASS = 0x3e;

    private static final int CLASS_VERSION = 1;
    private static final int ATTRIBUTE = 0x0010;

    /** Locally administered; "VB". */
    private static final int VENDOR = 0x02_56_42;

    private static final int VENDOR_AT = 12;
    private static final int VERSION_AT = 16;
    private static final int VERSION = 1;
    private static final int REQUESTER_AT = 20;
    private static final int RESPONDER_AT = 24;
    private static final int PSN_AT = 28;
    private static final int RULE_LENGTH_AT = 32;
    private static final int SENTENCE_LENGTH_AT = 33;
    private static final int TEXT_AT = 34;

    private static final int MOST_RULE_BYTES = 16;

    /** Room for rule and sentence. */
    public static final int MOST_TEXT_BYTES = Mad.BODY_BYTES - TEXT_AT;

    private static final String CUT = "...";

    /** Cuts the sentence to what there is room for. */
    public RefusalReason {
        if (rule.length() > MOST_RULE_BYTES) {
            throw new IllegalArgumentException("rule=" + rule + " has more than " + MOST_RULE_BYTES + " bytes");
        }
        sentence = shortened(printable(sentence), MOST_TEXT_BYTES - rule.length());
    }

    /** Asks about the NAK for a request of one's own. */
    public static RefusalReason question(long transactionId, int requesterQp, int responderQp, int psn) {
        return new RefusalReason(false, transactionId, requesterQp, responderQp, psn, "", "");
    }

    /** The answer to this question. */
    public RefusalReason answer(String itsRule, String itsSentence) {
        return new RefusalReason(true, transactionId, requesterQp, responderQp, psn, itsRule, itsSentence);
    }

    /** What a peer says is shown to people: nothing in it moves a cursor. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}|\\R", "?");
    }

    private static String shortened(String text, int mostBytes) {
        if (bytes(text).length <= mostBytes) {
            return text;
        }
        int end = Math.min(text.length(), mostBytes - CUT.length());
        while (bytes(text.substring(0, end)).length > mostBytes - CUT.length()
                || Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + CUT;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a datagram is of the management class of both. */
    public static boolean isOne(MadHeader header) {
        return header.managementClass() == MANAGEMENT_CLASS;
    }

    /** The datagram. */
    public Octets emit() {
        byte[] body = new byte[Mad.BODY_BYTES];
        byte[] ruleBytes = bytes(rule);
        byte[] sentenceBytes = bytes(sentence);
        ByteBuffer.wrap(body)
                .putInt(VENDOR_AT, VENDOR)
                .put(VERSION_AT, (byte) VERSION)
                .putInt(REQUESTER_AT, requesterQp)
                .putInt(RESPONDER_AT, responderQp)
                .putInt(PSN_AT, psn)
                .put(RULE_LENGTH_AT, (byte) ruleBytes.length)
                .put(SENTENCE_LENGTH_AT, (byte) sentenceBytes.length)
                .position(TEXT_AT)
                .put(ruleBytes)
                .put(sentenceBytes);
        MadHeader header = new MadHeader(
                MadHeader.BASE_VERSION,
                MANAGEMENT_CLASS,
                CLASS_VERSION,
                isAnswer ? MadHeader.METHOD_GET_RESPONSE : MadHeader.METHOD_GET,
                0,
                0,
                transactionId,
                ATTRIBUTE,
                0);
        return new Mad(header, Octets.of(body)).emit();
    }

    /**
     * Reads a datagram.
     *
     * @throws MadFormatException if it is neither question nor answer; its message says why
     */
    public static RefusalReason parse(Mad mad) {
        MadHeader header = mad.header();
        boolean answers = header.method() == MadHeader.METHOD_GET_RESPONSE;
        byte[] body = mad.body().toBytes();
        ByteBuffer fields = ByteBuffer.wrap(body);
        if (!isOne(header)
                || header.classVersion() != CLASS_VERSION
                || header.attributeId() != ATTRIBUTE
                || (!answers && header.method() != MadHeader.METHOD_GET)
                || fields.getInt(VENDOR_AT) != VENDOR
                || fields.get(VERSION_AT) != VERSION) {
            throw new MadFormatException("class=" + header.managementClass() + " class version=" + header.classVersion()
                    + " method=" + header.method() + " attribute=" + header.attributeId()
                    + " are not those of a refusal's reason, or it is another vendor's");
        }
        int ruleLength = Byte.toUnsignedInt(fields.get(RULE_LENGTH_AT));
        int sentenceLength = Byte.toUnsignedInt(fields.get(SENTENCE_LENGTH_AT));
        if (header.status() != 0
                || ruleLength > MOST_RULE_BYTES
                || ruleLength + sentenceLength > MOST_TEXT_BYTES
                || answers == (ruleLength == 0)) {
            throw new MadFormatException("status=" + header.status() + " rule=" + ruleLength + " bytes sentence="
                    + sentenceLength + " bytes do not fit " + (answers ? "an answer" : "a question"));
        }
        int end = TEXT_AT + ruleLength;
        String rule = new String(body, TEXT_AT, ruleLength, StandardCharsets.US_ASCII);
        if (!rule.matches("[A-Z0-9-]*")) {
            throw new MadFormatException("the rule is no id; ids have capital letters, digits and hyphens");
        }
        return new RefusalReason(
                answers,
                header.transactionId(),
                fields.getInt(REQUESTER_AT),
                fields.getInt(RESPONDER_AT),
                fields.getInt(PSN_AT),
                rule,
                new String(body, end, sentenceLength, StandardCharsets.UTF_8));
    }
}
