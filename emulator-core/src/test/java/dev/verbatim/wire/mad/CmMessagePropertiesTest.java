// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CmMessagePropertiesTest {

    @Provide
    Arbitrary<CmAttribute> attributes() {
        return Arbitraries.of(CmAttribute.class);
    }

    /** Whatever a message means, it means again; and a second time nothing changes any more. */
    @Property
    @Rule("MAD-08")
    void whatIsReadOfAnyBytesIsWrittenAndReadAgain(
            @ForAll("attributes") CmAttribute attribute,
            @ForAll @Size(Mad.BODY_BYTES) byte[] body,
            @ForAll long transaction,
            @ForAll int modifier) {
        CmMessage message;
        try {
            message = attribute.parse(body);
        } catch (MadFormatException refusal) {
            assertThat(refusal.getMessage()).contains("room");
            return;
        }
        Octets datagram = message.emit(transaction, modifier);
        Mad mad = Mad.parse(datagram);
        assertThat(mad.header().transactionId()).isEqualTo(transaction);
        assertThat(mad.header().attributeModifier()).isEqualTo(modifier);
        assertThat(CmMessage.parse(mad)).isEqualTo(message);
        assertThat(CmMessage.parse(mad).emit(transaction, modifier)).isEqualTo(datagram);
    }

    @Property
    void fieldChangesItsOwnBitsOnly(
            @ForAll @IntRange(max = 63) int firstBit,
            @ForAll @IntRange(min = 1, max = 32) int bits,
            @ForAll int value,
            @ForAll byte background) {
        Assume.that(firstBit % Byte.SIZE + bits <= Integer.SIZE);
        byte[] bytes = new byte[16];
        Arrays.fill(bytes, background);
        byte[] before = bytes.clone();
        Field field = new Field("some", firstBit, bits);
        field.put(bytes, value);
        assertThat(field.get(bytes)).isEqualTo(bits == 32 ? value : value & (1 << bits) - 1);
        field.put(bytes, field.get(before));
        assertThat(bytes).isEqualTo(before);
    }

    @Property
    @Rule("MAD-08")
    void ipHeaderOfAnyAddressesIsReadAsItWasWritten(
            @ForAll @IntRange(max = 15) int major,
            @ForAll @IntRange(max = 15) int minor,
            @ForAll @IntRange(max = 15) int ipVersion,
            @ForAll @IntRange(max = 65535) int port,
            @ForAll long prefix,
            @ForAll long interfaceId,
            @ForAll @Size(max = 56) byte[] user) {
        IpHeader header =
                new IpHeader(major, minor, ipVersion, port, new Gid(prefix, interfaceId), new Gid(interfaceId, prefix));
        Octets privateData = header.emit(Octets.of(user));
        assertThat(privateData.lengthBytes()).isEqualTo(IpHeader.BYTES + user.length);
        assertThat(IpHeader.parse(privateData)).isEqualTo(header);
        assertThat(IpHeader.userData(privateData)).isEqualTo(Octets.of(user));
    }
}
