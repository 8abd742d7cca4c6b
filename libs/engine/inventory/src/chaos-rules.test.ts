import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { readChaosRules } from "./chaos-rules.ts";
import { actingRearmed } from "./mark-of.ts";
import { withObject } from "./testing/an-arena.ts";
import { changesOf, chaos, classes, healthy, kindsOfChange, mark, stress } from "./testing/judged-arena.ts";

const slow = { tcs: [{ type: "netem", source: "shop/x" }] };
const rules = (spec: object, uid = "a"): KubeObject => ({
  ...chaos("pod-0", spec, "PodNetworkChaos"),
  metadata: { name: "pod-0", uid },
});

test("objects without rules are what a fault leaves behind, and do nothing", async () => {
  const objects = [rules(slow), rules({}), rules({ tcs: [], iptables: [] })];
  const list = async ({ kind }: { kind: string }) => (kind === "PodNetworkChaos" ? objects : []);
  expect(await readChaosRules({ list } as never, "shop")).toEqual([objects[0]]);
});

test.each(["PodNetworkChaos", "PodIOChaos", "PodHttpChaos", "StatusCheck", "WorkflowNode", "AWSChaos"])(
  "a remedy's own %s acts on the arena",
  (kind) => {
    expect(kindsOfChange(withObject(healthy, chaos("x", slow, kind)))).toEqual(["acts"]);
  },
);

test("the rules that the fault gave a pod are its own as long as they are the same", () => {
  const injected = withObject(stress, rules(slow));
  expect(changesOf(injected, { injected }).map((one) => one.class)).toEqual(["spent", "spent"]);
  const changed = withObject(stress, rules({ tcs: [...slow.tcs, { type: "bandwidth" }] }));
  expect(classes(changed, { injected })).toContain("acts PodNetworkChaos/pod-0");
});

test("a fault that was put back has rules of its own", () => {
  const acting = actingRearmed(mark(), withObject(stress, rules(slow, "b")));
  expect(Object.keys(acting)).toContainEqual(expect.stringContaining("PodNetworkChaos/pod-0"));
});
