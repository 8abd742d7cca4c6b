import { expect, test } from "vitest";
import { strategicMerge } from "./strategic-merge.ts";

const withContainers = (...containers: object[]) => ({ spec: { template: { spec: { containers } } } });
const merge = (original: object, patch: object, kind = "Deployment") => strategicMerge(kind, original, patch);

test("merges lists by their key and appends what is new", () => {
  const original = withContainers({ name: "a", image: "1", env: [{ name: "X", value: "1" }] }, { name: "b" });
  const patch = withContainers({ name: "a", env: [{ name: "Y", value: "2" }] }, { name: "c" });
  expect(merge(original, patch)).toEqual(
    withContainers(
      {
        name: "a",
        image: "1",
        env: [
          { name: "X", value: "1" },
          { name: "Y", value: "2" },
        ],
      },
      { name: "b" },
      { name: "c" },
    ),
  );
});

test("replaces atomic lists and deletes with null", () => {
  expect(
    merge(
      { spec: { tolerations: [{ key: "a" }], x: 1 } },
      { spec: { tolerations: [{ key: "b" }], x: null } },
    ),
  ).toEqual({
    spec: { tolerations: [{ key: "b" }] },
  });
});

test("follows delete, replace and retainKeys directives", () => {
  const deployment = (volumes: object[], strategy: object) => ({
    spec: { strategy, template: { spec: { volumes } } },
  });
  const original = deployment([{ name: "a", emptyDir: {} }, { name: "b" }], {
    type: "RollingUpdate",
    rollingUpdate: {},
  });
  const patch = deployment(
    [
      { name: "b", $patch: "delete" },
      { name: "a", $retainKeys: ["name", "hostPath"], hostPath: { path: "/" } },
    ],
    { $retainKeys: ["type"], type: "Recreate" },
  );
  expect(merge(original, patch)).toEqual(
    deployment([{ name: "a", hostPath: { path: "/" } }], { type: "Recreate" }),
  );
  const replaced = deployment([{ $patch: "replace" }, { name: "c" }], {});
  expect(merge(original, replaced).spec.template.spec.volumes).toEqual([{ name: "c" }]);
  expect(merge(original, { spec: { $patch: "replace", replicas: 1 } })).toEqual({ spec: { replicas: 1 } });
});

test("uses the struct that contains a field", () => {
  const secrets = (...names: string[]) => names.map((name) => ({ name }));
  const account = { secrets: secrets("a"), imagePullSecrets: secrets("a") };
  const patch = { secrets: secrets("b"), imagePullSecrets: secrets("b") };
  expect(merge(account, patch, "ServiceAccount")).toEqual({
    secrets: secrets("a", "b"),
    imagePullSecrets: secrets("b"),
  });
  const budget = { spec: { selector: { matchLabels: { a: "1" } } } };
  const other = { spec: { selector: { matchLabels: { b: "2" } } } };
  expect(merge(budget, other, "PodDisruptionBudget")).toEqual(other);
});

test("puts elements in the order that the client asks for and keeps the server's own in place", () => {
  const names = (value: ReturnType<typeof merge>) =>
    value.spec.template.spec.containers.map((c: { name: string }) => c.name);
  const original = withContainers({ name: "a" }, { name: "server" }, { name: "b" });
  const patch = {
    spec: {
      template: {
        spec: {
          "$setElementOrder/containers": [{ name: "new" }, { name: "a" }, { name: "b" }],
          containers: [{ name: "new" }],
        },
      },
    },
  };
  expect(names(merge(original, patch))).toEqual(["new", "a", "server", "b"]);
});

test("treats finalizers as a set", () => {
  const original = { metadata: { finalizers: ["a", "b"] } };
  expect(
    merge(original, { metadata: { finalizers: ["b", "c"], "$deleteFromPrimitiveList/finalizers": ["a"] } }),
  ).toEqual({
    metadata: { finalizers: ["b", "c"] },
  });
});

test("distinguishes a service's ports from a container's", () => {
  const original = { spec: { ports: [{ port: 80, nodePort: 30000 }] } };
  expect(merge(original, { spec: { ports: [{ port: 80, name: "http" }] } }, "Service")).toEqual({
    spec: { ports: [{ port: 80, nodePort: 30000, name: "http" }] },
  });
});

test("says which key an element lacks", () => {
  expect(() => merge(withContainers(), withContainers({ image: "x" }))).toThrow(
    "does not contain declared merge key: name",
  );
});

test("refuses a directive that is no text", () => {
  const patch = { metadata: { $patch: [{ toString: 0 }] } };
  expect(() => merge({}, patch)).toThrow('unknown patch type found: [{"toString":0}]');
});
