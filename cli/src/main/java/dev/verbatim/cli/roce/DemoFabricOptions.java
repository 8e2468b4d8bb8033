// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.roce;

import dev.verbatim.cli.demo.DemoCarrier;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.roce.RoceFabric;
import java.net.InetAddress;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The carrier of {@code serve} and {@code connect}. */
public final class DemoFabricOptions {

    private static final String TCP = "tcp";
    private static final String ROCE = "roce";

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            defaultValue = TCP,
            description = {
                "Fabric: tcp; or roce, RoCEv2 packets at UDP port 4791. Both sides use the same. Default:"
                        + " ${DEFAULT-VALUE}."
            })
    private String fabric;

    @Mixin
    private RoceCarrierOptions roce;

    /**
     * Whether it is RoCEv2.
     *
     * @param protectedTcp whether the command line has options of TLS or of a secret, which RoCEv2 has not
     */
    public boolean isRoce(CommandLine command, boolean protectedTcp) {
        if (!fabric.equals(TCP) && !fabric.equals(ROCE)) {
            throw new ParameterException(command, "--fabric=" + fabric + " is not one of " + TCP + ", " + ROCE);
        }
        if (fabric.equals(TCP) && roce.areGiven()) {
            throw new ParameterException(command, "--fault and --transport require --fabric roce");
        }
        if (fabric.equals(ROCE) && protectedTcp) {
            throw new ParameterException(
                    command,
                    "--fabric=roce has neither TLS nor a secret: RoCEv2 has no authentication; use --fabric tcp");
        }
        return fabric.equals(ROCE);
    }

    /** The options of TCP, with those that both fabrics have. */
    public NettyOptions tcp(NettyOptions options) {
        return options.withRefusalReasons(roce.refusalReasons());
    }

    /**
     * Opens the carrier for a device at that address.
     *
     * @param openly whether other machines may connect to this one
     */
    public DemoCarrier open(CommandLine command, InetAddress local, boolean openly) {
        return DemoCarrier.roce(RoceFabric.open(roce.at(command, local)), openly);
    }
}
