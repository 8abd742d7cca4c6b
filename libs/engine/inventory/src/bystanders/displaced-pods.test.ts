import type { Event } from "@microremed/cluster";
import { expect, test } from "vitest";
import { isClustersOwn } from "./displaced-pods.ts";

const present = { namespace: "shop", uids: new Set(["there"]) };
const event = (reason: string, message: string, more: object = {}): Event =>
  ({ kind: "Event", metadata: { name: "e" }, reason, message, ...more }) as unknown as Event;

test.each([
  ["by a pod that is still there", event("Preempted", "Preempted by pod there on node n1"), true],
  ["by a pod that is gone", event("Preempted", "Preempted by pod gone on node n1"), false],
  [
    "by a pod of another namespace",
    event("Preempted", "Preempted by pod gone on node n1", { related: { namespace: "other", uid: "gone" } }),
    true,
  ],
  ["by an older scheduler's words", event("Preempted", "Preempted by there on node n1"), true],
  ["for its node", event("Evicted", "The node was low on resource: memory."), true],
  ["for its own limit", event("Evicted", 'Usage of EmptyDir volume "tmp" exceeds the limit "1Mi".'), false],
  ["by a taint", event("TaintManagerEviction", "Marking for deletion Pod shop/a"), true],
])("who was put away %s: the cluster's own doing is %#", (_, one, expected) => {
  expect(isClustersOwn(one, present)).toBe(expected);
});
