import { parseQuantity } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf } from "./testing/an-arena.ts";
import {
  classes,
  container,
  deployment,
  healthy,
  kindsOfChange,
  set,
  stress,
  target,
  template,
} from "./testing/judged-arena.ts";

test("an arena as recorded has no changes, and a fault's own object, as injected, is spent", () => {
  expect(classes(healthy)).toEqual([]);
  expect(classes(stress)).toEqual(["spent StressChaos/cpu-stress"]);
});

test.each([
  [
    "a constraint that leaves the nodes that were hit",
    template(target, set({ nodeSelector: { "kubernetes.io/hostname": "b" } })),
  ],
  [
    "fewer rights of its pods",
    template(target, set({ securityContext: { runAsNonRoot: true, runAsUser: 10_001 } })),
  ],
  [
    "fewer rights of its container",
    container(
      target,
      set({ securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }),
    ),
  ],
  [
    "the same limits in other words",
    container("frontend", (one) => {
      const limits = partOf(one, "resources", "limits");
      limits["memory"] = String(parseQuantity(String(limits["memory"])));
    }),
  ],
] as [string, ArenaObjects][])("%s is right", (_, arena) => {
  expect(kindsOfChange(arena)).toEqual(["allowed"]);
});

test("the mark of a rollout restart is no change", () => {
  const annotations = { "kubectl.kubernetes.io/restartedAt": "now" };
  const restarted = deployment(target, (spec) => set({ annotations })(partOf(spec, "template", "metadata")));
  expect(classes(restarted)).toEqual([]);
});

test("other rights than fewer are not, nor are fewer ones of another workload", () => {
  const runAs = (runAsUser: number) => set({ securityContext: { runAsUser } });
  expect(kindsOfChange(template(target, runAs(0)))).toEqual(["breaks"]);
  expect(kindsOfChange(template("frontend", runAs(10_001)))).toEqual(["changed"]);
});
