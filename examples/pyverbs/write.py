# Copyright 2026 The Verbatim Authors
# SPDX-License-Identifier: Apache-2.0
"""Two queue pairs of one device: one writes into the memory of the other."""
import pyverbs.enums as e
from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context, get_device_list
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

context = Context(name=get_device_list()[0].name.decode())
pd, cq = PD(context), CQ(context, 10)
gid = context.query_gid(port_num=1, index=0)


def queue_pair():
    return QP(pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap(1, 1, 1, 1)))


def connect(qp, peer):
    attributes = QPAttr(port_num=1)
    attributes.dest_qp_num = peer.qp_num
    attributes.path_mtu = e.IBV_MTU_1024
    attributes.qp_access_flags = e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_LOCAL_WRITE
    attributes.timeout, attributes.retry_cnt, attributes.rnr_retry = 14, 7, 7
    attributes.ah_attr = AHAttr(port_num=1, is_global=1, gr=GlobalRoute(dgid=gid, sgid_index=0))
    qp.to_rts(attributes)


near, far = queue_pair(), queue_pair()
connect(near, far)
connect(far, near)
source = MR(pd, 64, e.IBV_ACCESS_LOCAL_WRITE)
target = MR(pd, 64, e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE)
source.write(b"hello, pyverbs", 14)
work = SendWR(opcode=e.IBV_WR_RDMA_WRITE, num_sge=1, sg=[SGE(source.buf, 14, source.lkey)])
work.set_wr_rdma(target.rkey, target.buf)
near.post_send(work)
count, completions = cq.poll()
while count == 0:
    count, completions = cq.poll()
assert completions[0].status == e.IBV_WC_SUCCESS, completions[0]
print(target.read(14, 0).decode())
