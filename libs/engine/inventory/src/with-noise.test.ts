import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { normalise } from "./normalise.ts";
import { expectedWithNoise, objectsWithNoise, systemObjects } from "./with-noise.ts";

const deployment = (name: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, ...metadata },
  spec: { replicas: 1, ...spec },
});
const was = normalise(deployment("cart", { paused: false }));
const changed = normalise(deployment("cart", { replicas: 2 }, { annotations: { note: "more" } }));
const added = normalise(deployment("relay", {}));
const record = {
  manifests: "",
  objects: [was],
  noise: { objects: [added, changed], revisions: [] },
};

test("without noise an arena is to hold what was deployed", () => {
  expect(expectedWithNoise({ manifests: "", objects: [was] }, [])).toEqual([was]);
  expect(objectsWithNoise(record)).toEqual([changed, added]);
});

test("what a fault's setting adds and changes belongs to the system, also where a noise is on it", () => {
  const variable = normalise(deployment("cart", { revisionHistoryLimit: 3 }));
  const job = normalise(deployment("report", {}));
  const setting = { objects: [variable, job], revisions: [] };
  const system = { manifests: "", objects: [was], setting };
  expect(systemObjects(system)).toEqual([variable, job]);
  expect(expectedWithNoise(system, []), "a deleted part is missed").toEqual([variable, job]);
  expect(expectedWithNoise(system, [was]), "what was before is no repair").toEqual([variable, job]);
  const withNoise = { ...system, noise: { objects: [added], revisions: [] } };
  expect(objectsWithNoise(withNoise)).toEqual([variable, job, added]);
  expect(expectedWithNoise(withNoise, [variable])).toEqual([variable, job]);
});

test("a noise that is there, was taken away or put to rest is as it is to be", () => {
  const expected = (...live: KubeObject[]) => expectedWithNoise(record, live).map(normalise);
  expect(expected(changed, added)).toEqual([changed, added]);
  expect(expected(changed)).toEqual([changed]);
  expect(expected(changed, { ...added, metadata: { ...added.metadata, deletionTimestamp: "now" } })).toEqual([
    changed,
  ]);
  expect(expected(was, added)).toEqual([was, added]);
  const asleep = normalise(deployment("relay", { replicas: 0 }));
  expect(expected(changed, asleep)).toEqual([changed, asleep]);
});

test("what was put back in part is compared part by part, and other changes with the noise as it was placed", () => {
  const halfBack = normalise({ ...was, metadata: changed.metadata });
  expect(expectedWithNoise(record, [halfBack, added])).toEqual([halfBack, added]);
  const other = normalise(deployment("cart", { replicas: 7 }));
  const [cart] = expectedWithNoise(record, [other, added]);
  expect(cart).toEqual(normalise({ ...changed, metadata: was.metadata }));
  const strange = normalise(deployment("relay", { template: { spec: { hostNetwork: true } } }));
  expect(expectedWithNoise(record, [changed, strange])).toEqual([changed, added]);
});

test("what was put back is as it was deployed, field by field, also where the workload was restarted since", () => {
  const container = (more: object) => ({ name: "main", image: "shop:1", ...more });
  const of = (more: object, template: object = {}, metadata: object = {}) =>
    normalise(
      deployment("cart", { template: { metadata, spec: { containers: [container(more)], ...template } } }),
    );
  const original = of({});
  const noisy = of({ env: [{ name: "TRACK", value: "a" }] }, { dnsPolicy: "None" });
  const noise = { objects: [noisy], revisions: [] };
  const live = of({}, {}, { annotations: { "kubectl.kubernetes.io/restartedAt": "now" } });
  expect(expectedWithNoise({ manifests: "", objects: [original], noise }, [live])).toEqual([
    normalise(of({}, {}, {})),
  ]);
  const broken = of({ image: "shop:2" }, { dnsPolicy: "None" });
  expect(expectedWithNoise({ manifests: "", objects: [original], noise }, [broken])).toEqual([
    normalise(of({}, { dnsPolicy: "None" })),
  ]);
});

test("an object of the system itself that is gone is missed, whatever noise was on it", () => {
  expect(expectedWithNoise(record, [added])).toEqual([changed, added]);
});

test("of two noises on one workload either may be undone", () => {
  const of = (...env: string[]) =>
    normalise(
      deployment("cart", {
        template: {
          spec: {
            containers: [{ name: "main", image: "shop:1", env: env.map((name) => ({ name, value: "a" })) }],
          },
        },
      }),
    );
  const noise = { objects: [of("TRACK", "BUILD")], revisions: [] };
  for (const live of [of(), of("TRACK"), of("BUILD"), of("BUILD", "TRACK"), of("TRACK", "BUILD")])
    expect(expectedWithNoise({ manifests: "", objects: [of()], noise }, [live])).toEqual([live]);
  const onOwn = { objects: [of("OWN", "TRACK")], revisions: [] };
  expect(expectedWithNoise({ manifests: "", objects: [of("OWN")], noise: onOwn }, [of("TRACK")])).toEqual([
    of("TRACK", "OWN"),
  ]);
  const other = normalise(of("BUILD", "OTHER"));
  expect(expectedWithNoise({ manifests: "", objects: [of()], noise }, [other])).toEqual([of("BUILD")]);
});
