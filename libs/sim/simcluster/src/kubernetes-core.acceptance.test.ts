import { describe, expect, test } from "vitest";
import { startSimCluster } from "./cluster.ts";
import { currentAnsible, debianAnsible } from "./testing/kubernetes-core/installation.ts";
import { runTarget, shippedTargets } from "./testing/kubernetes-core/run-target.ts";
import { type CollectionVersion, helpers, targetsOf } from "./testing/kubernetes-core/targets.ts";

const testMs = 30 * 60_000;
const releases = [
  ["current Ansible", "6.2.0", await currentAnsible()],
  ["Debian's Ansible", "2.4.0", await debianAnsible()],
] as const satisfies readonly (readonly [string, CollectionVersion, unknown])[];

// One release after the other: five targets at once are enough for a machine.
describe.each(releases)("kubernetes.core with %s (%s)", (_, version, ansible) => {
  const why = typeof ansible === "string" ? ansible : "";
  const targets = targetsOf(version);

  test.skipIf(why)(`every target is in the table ${why && `(${why})`}`.trim(), async () => {
    if (typeof ansible === "string") return;
    const shipped = (await shippedTargets(ansible)).filter((target) => !helpers.has(target));
    expect(shipped.sort()).toEqual([...targets.keys()].sort());
  });

  for (const [target, reason] of targets) {
    const skipped = why || reason;
    // Most of a target's time is its own waiting.
    test.skipIf(skipped).concurrent(
      `${target} passes as it is ${skipped && `(${skipped})`}`.trim(),
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
});
