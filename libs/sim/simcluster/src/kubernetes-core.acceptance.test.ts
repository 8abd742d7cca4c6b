import { expect, test } from "vitest";
import { startSimCluster } from "./cluster.ts";
import { currentAnsible } from "./testing/kubernetes-core/installation.ts";
import { runTarget, shippedTargets } from "./testing/kubernetes-core/run-target.ts";
import { helpers, targets } from "./testing/kubernetes-core/targets.ts";

const testMs = 30 * 60_000;
const ansible = await currentAnsible();
const why = typeof ansible === "string" ? ansible : "";

test.skipIf(why)(`every target of kubernetes.core is in the table ${why && `(${why})`}`.trim(), async () => {
  if (typeof ansible === "string") return;
  const shipped = (await shippedTargets(ansible)).filter((target) => !helpers.has(target));
  expect(shipped.sort()).toEqual([...targets.keys()].sort());
});

for (const [target, outcome] of targets) {
  const open = outcome === "open" ? "open: not seen to pass yet" : "";
  const skipped = why || open || (typeof outcome === "object" ? `needs ${outcome.needs}` : "");
  test.skipIf(skipped)(
    `kubernetes.core's ${target} passes as it is ${skipped && `(${skipped})`}`.trim(),
    async () => {
      if (typeof ansible === "string") return;
      // Its clock is the wall clock: the targets wait by their own.
      await using cluster = await startSimCluster({
        name: "foreign",
        seed: target,
        timeScale: 1,
        environments: [],
      });
      const admin = { name: "kubernetes-admin", groups: ["system:masters"] };
      expect(await runTarget(ansible, target, await cluster.userKubeconfig(admin))).toBe("");
    },
    testMs,
  );
}
