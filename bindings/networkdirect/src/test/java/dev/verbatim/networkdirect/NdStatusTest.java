// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of section 1.0. */
class NdStatusTest {

    @ParameterizedTest
    @CsvSource({
        "SUCCESS, 00000000",
        "TIMEOUT, 00000102",
        "PENDING, 00000103",
        "BUFFER_OVERFLOW, 80000005",
        "DEVICE_BUSY, 80000011",
        "NO_MORE_ENTRIES, 8000001A",
        "UNSUCCESSFUL, C0000001",
        "ACCESS_VIOLATION, C0000005",
        "INVALID_HANDLE, C0000008",
        "INVALID_PARAMETER, C000000D",
        "INVALID_DEVICE_REQUEST, C0000010",
        "NO_MEMORY, C0000017",
        "INVALID_PARAMETER_MIX, C0000030",
        "DATA_OVERRUN, C000003C",
        "SHARING_VIOLATION, C0000043",
        "INSUFFICIENT_RESOURCES, C000009A",
        "DEVICE_NOT_READY, C00000A3",
        "IO_TIMEOUT, C00000B5",
        "NOT_SUPPORTED, C00000BB",
        "INTERNAL_ERROR, C00000E5",
        "INVALID_PARAMETER_1, C00000EF",
        "INVALID_PARAMETER_2, C00000F0",
        "INVALID_PARAMETER_3, C00000F1",
        "INVALID_PARAMETER_4, C00000F2",
        "INVALID_PARAMETER_5, C00000F3",
        "INVALID_PARAMETER_6, C00000F4",
        "INVALID_PARAMETER_7, C00000F5",
        "INVALID_PARAMETER_8, C00000F6",
        "INVALID_PARAMETER_9, C00000F7",
        "INVALID_PARAMETER_10, C00000F8",
        "CANCELED, C0000120",
        "REMOTE_ERROR, C000013D",
        "INVALID_ADDRESS, C0000141",
        "INVALID_DEVICE_STATE, C0000184",
        "INVALID_BUFFER_SIZE, C0000206",
        "TOO_MANY_ADDRESSES, C0000209",
        "ADDRESS_ALREADY_EXISTS, C000020A",
        "CONNECTION_REFUSED, C0000236",
        "CONNECTION_INVALID, C000023A",
        "CONNECTION_ACTIVE, C000023B",
        "NETWORK_UNREACHABLE, C000023C",
        "HOST_UNREACHABLE, C000023D",
        "CONNECTION_ABORTED, C0000241",
        "DEVICE_REMOVED, C00002B6",
        "DATA_ERROR, C000003E",
        "BUFFER_TOO_SMALL, C0000023",
        "BAD_NETWORK_NAME, C00000CC",
        "CONNECTION_DISCONNECTED, C000020C",
        "ADDRESS_ALREADY_ASSOCIATED, C0000238",
        "REQUEST_ABORTED, C0000240"
    })
    void eachNameHasItsNumber(String name, String hex) throws ReflectiveOperationException {
        NdStatus status = (NdStatus) NdStatus.class.getField(name).get(null);
        assertThat(status.value()).isEqualTo(Integer.parseUnsignedInt(hex, 16));
        assertThat(status.name()).isEqualTo(name);
        assertThat(NdStatus.of(status.value())).isSameAs(status);
        assertThat(status).hasToString(name + "(0x" + hex.toUpperCase(Locale.ROOT) + ")");
        assertThat(status.isFailure()).isEqualTo(hex.charAt(0) != '0');
        assertThat(status.isSuccess()).isEqualTo(name.equals("SUCCESS"));
    }

    @Test
    void thereAreNoOtherNamesButTwoOfVersion1() {
        long names = Stream.of(NdStatus.class.getFields())
                .map(Field::getModifiers)
                .filter(Modifier::isStatic)
                .count();
        assertThat(names).isEqualTo(50 + 2);
        assertThat(NdStatus.LOCAL_LENGTH).isSameAs(NdStatus.DATA_OVERRUN);
        assertThat(NdStatus.INVALIDATION_ERROR).isSameAs(NdStatus.INVALID_DEVICE_REQUEST);
    }

    @Test
    void anyNumberIsAStatus() {
        NdStatus strange = NdStatus.of(0xC0001234);
        assertThat(strange.isFailure()).isTrue();
        assertThat(strange.name()).isEmpty();
        assertThat(strange).isEqualTo(NdStatus.of(0xC0001234)).hasToString("status(0xC0001234)");
        assertThat(strange).isNotEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void parametersAreCountedFrom1To10() {
        assertThat(NdStatus.invalidParameter(1)).isSameAs(NdStatus.INVALID_PARAMETER_1);
        assertThat(NdStatus.invalidParameter(10)).isSameAs(NdStatus.INVALID_PARAMETER_10);
        assertThatThrownBy(() -> NdStatus.invalidParameter(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NdStatus.invalidParameter(11)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void flagsHaveTheirNumbers() {
        assertThat(new int[] {
                    NdMrFlags.ALLOW_LOCAL_WRITE,
                    NdMrFlags.ALLOW_REMOTE_READ,
                    NdMrFlags.ALLOW_REMOTE_WRITE,
                    NdMrFlags.RDMA_READ_SINK,
                    NdMrFlags.DO_NOT_SECURE_VM
                })
                .containsExactly(1, 2, 5, 8, 0x80000000);
        assertThat(new int[] {
                    NdOpFlags.SILENT_SUCCESS,
                    NdOpFlags.READ_FENCE,
                    NdOpFlags.SEND_AND_SOLICIT_EVENT,
                    NdOpFlags.ALLOW_READ,
                    NdOpFlags.ALLOW_WRITE,
                    NdOpFlags.INLINE
                })
                .containsExactly(1, 2, 4, 8, 0x10, 0x20);
        assertThat(new int[] {
                    NdAdapterFlags.IN_ORDER_DMA_SUPPORTED,
                    NdAdapterFlags.CQ_INTERRUPT_MODERATION_SUPPORTED,
                    NdAdapterFlags.MULTI_ENGINE_SUPPORTED,
                    NdAdapterFlags.CQ_RESIZE_SUPPORTED,
                    NdAdapterFlags.LOOPBACK_CONNECTIONS_SUPPORTED
                })
                .containsExactly(1, 4, 8, 0x100, 0x10000);
        assertThat(Stream.of(NdNotifyType.ERRORS, NdNotifyType.ANY, NdNotifyType.SOLICITED)
                        .map(NdNotifyType::value))
                .containsExactly(0, 1, 2);
        assertThat(Stream.of(
                                NdRequestType.RECEIVE,
                                NdRequestType.SEND,
                                NdRequestType.BIND,
                                NdRequestType.INVALIDATE,
                                NdRequestType.READ,
                                NdRequestType.WRITE)
                        .map(NdRequestType::value))
                .containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void tokensAreKeysInNetworkByteOrder() {
        int token = NdToken.fromRkey(0x01020304);
        assertThat(NdToken.toRkey(token)).isEqualTo(0x01020304);
        ByteBuffer stored = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
        assertThat(stored.putInt(0, token).array()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void everyStatusHasASentence() throws IllegalAccessException {
        for (Field field : NdStatus.class.getFields()) {
            NdStatus status = (NdStatus) field.get(null);
            assertThat(status.explanation()).as(field.getName()).hasSizeGreaterThan(10);
        }
        assertThat(NdStatus.of(0xC1234567).explanation()).isNotBlank();
    }

    @Test
    void reasonIsToldAndDoesNotCountWhenTwoAreCompared() {
        NdStatus refused = NdStatus.DATA_OVERRUN.because("elements=%d > %d", 3, 2);
        assertThat(refused.explanation()).isEqualTo("elements=3 > 2");
        assertThat(refused).isEqualTo(NdStatus.DATA_OVERRUN).hasSameHashCodeAs(NdStatus.DATA_OVERRUN);
        assertThat(NdStatus.DATA_OVERRUN.explanation()).isNotEqualTo(refused.explanation());
    }
}
