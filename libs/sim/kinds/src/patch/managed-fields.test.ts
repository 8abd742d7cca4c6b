import type { KubeObject, NewObject } from "@microremed/sim-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyConfiguration } from "./apply-configuration.ts";
import { difference, type FieldTree, intersection, memberPaths, union } from "./field-tree.ts";
import { tracked } from "./managed-fields.ts";
import { builtInRules } from "./merge-rules.ts";

const rules = builtInRules("Deployment");
const by = (manager: string, more: object = {}) => ({
  manager,
  subresource: undefined,
  now: 0,
  rules,
  ...more,
});
const deployment = (spec: object, metadata: object = {}): NewObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d", ...metadata },
  spec,
});
const stored = (object: NewObject): KubeObject => object as KubeObject;

function owners(object: NewObject): Record<string, string[]> {
  const entries = (object.metadata.managedFields ?? []) as unknown as {
    manager: string;
    operation: string;
    fieldsV1: FieldTree;
  }[];
  return Object.fromEntries(
    entries.map((entry) => [`${entry.manager} ${entry.operation}`, memberPaths(entry.fieldsV1)]),
  );
}

test("gives a writer what it sets and takes it from the previous owner", () => {
  const created = tracked(deployment({ replicas: 1, paused: true }), undefined, by("one"));
  const changed = deployment({ replicas: 2, paused: true, minReadySeconds: 5 });
  const updated = tracked(changed, stored(created), by("two"));
  expect(owners(created)).toEqual({ "one Update": [".spec.replicas", ".spec.paused"] });
  expect(owners(updated)).toEqual({
    "one Update": [".spec.paused"],
    "two Update": [".spec.replicas", ".spec.minReadySeconds"],
  });
  expect(tracked(updated, stored(updated), by("three", { now: 60_000 }))).toEqual(updated);
});

test("notes when a writer last set a value, its own among them", () => {
  const times = (object: NewObject) =>
    (object.metadata.managedFields ?? []).map((entry) => (entry as { time?: string }).time);
  const created = tracked(deployment({ replicas: 1, paused: true }), undefined, by("one"));
  const again = tracked(
    deployment({ replicas: 2, paused: true }),
    stored(created),
    by("one", { now: 60_000 }),
  );
  expect(times(again)).toEqual(["1970-01-01T00:01:00Z"]);
  const less = tracked(deployment({ replicas: 2 }), stored(again), by("one", { now: 90_000 }));
  expect(times(less)).toEqual(["1970-01-01T00:01:00Z"]);
});

test("lets plain writers own fields against appliers", () => {
  const created = stored(tracked(deployment({ replicas: 1 }), undefined, by("editor")));
  const wanted = deployment({ replicas: 2 });
  const options = { ...by("applier"), force: false };
  expect(() => applyConfiguration(created, wanted, options)).toThrow(
    'Apply failed with 1 conflict: conflict with "editor" using apps/v1: .spec.replicas',
  );
  const forced = applyConfiguration(created, wanted, { ...options, force: true });
  expect(owners(forced)).toEqual({ "applier Apply": [".spec.replicas"] });
  expect(owners(applyConfiguration(created, deployment({ replicas: 1 }), options))).toEqual({
    "editor Update": [".spec.replicas"],
    "applier Apply": [".spec.replicas"],
  });
});

test("lets kubectl take over what its client-side apply set", () => {
  const last = JSON.stringify(deployment({ replicas: 1, paused: true }));
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": last };
  const live = deployment({ replicas: 1, paused: false }, { annotations });
  const created = stored(tracked(live, undefined, by("kubectl-client-side-apply")));
  const options = { ...by("kubectl"), force: false };
  expect(applyConfiguration(created, deployment({ replicas: 2 }), options).spec.replicas).toBe(2);
  expect(() => applyConfiguration(created, deployment({ paused: true }), options)).toThrow(
    'conflict with "kubectl-client-side-apply" using apps/v1: .spec.paused',
  );
});

test("removes a list's element only when no other manager owns anything in it", () => {
  const container = (name: string, more: object = {}) => ({ name, ...more });
  const spec = (...containers: object[]) => deployment({ template: { spec: { containers } } });
  const options = { ...by("one"), force: false };
  const first = stored(applyConfiguration(undefined, spec(container("a"), container("b")), options));
  const touched = spec(container("a"), container("b", { image: "x" }));
  const live = tracked({ ...touched, metadata: first.metadata }, first, by("other"));
  const second = applyConfiguration(stored(live), spec(container("a")), options);
  expect(second.spec.template.spec.containers).toEqual([{ name: "a" }, { name: "b", image: "x" }]);
});

test("forgets all owners when a client clears them", () => {
  const created = stored(tracked(deployment({ replicas: 1 }), undefined, by("one")));
  const cleared = { ...created, metadata: { ...created.metadata, managedFields: [{}] } };
  expect(tracked(cleared, created, by("two")).metadata.managedFields).toBeUndefined();
});

const step = fc.constantFrom("f:a", "f:b", "f:c");
const inner = (depth: number): fc.Arbitrary<FieldTree> =>
  depth === 0 ? fc.constant({}) : fc.dictionary(step, inner(depth - 1), { maxKeys: 3 });
const members = (set: FieldTree | undefined): string[] => (set ? memberPaths(set).sort() : []);

test("combines sets of fields as sets", () => {
  fc.assert(
    fc.property(inner(3), inner(3), (a, b) => {
      const [left, right] = [members(a), members(b)];
      const both = left.filter((path) => right.includes(path));
      expect(members(union(a, b))).toEqual([...new Set([...left, ...right])].sort());
      expect(members(difference(a, b))).toEqual(left.filter((path) => !both.includes(path)));
      expect(members(intersection(a, b))).toEqual(both);
    }),
  );
});
