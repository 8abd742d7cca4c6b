import { expect, test } from "vitest";
import { decode } from "./decode.ts";

const deployment = (container: object, spec: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: { ...spec, template: { spec: { containers: [container] } } },
});
const read = (object: object) => decode("V1Deployment", object);

test("drops unknown fields and says where they were", () => {
  const { value, unknown, wrongType } = read(deployment({ name: "c", imag: "x" }, { foo: 1 }));
  expect(unknown).toEqual(["spec.foo", "spec.template.spec.containers[0].imag"]);
  expect(value).toEqual(deployment({ name: "c" }));
  expect(wrongType).toBeUndefined();
});

test("words a wrong type as Go does", () => {
  expect(read(deployment({ name: "c", env: [{ name: "A", value: 3 }] })).wrongType?.text).toBe(
    "json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string",
  );
  expect(read(deployment({ name: "c" }, { replicas: "3" })).wrongType?.text).toBe(
    "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
  );
});

test("takes numbers for quantities, which it writes as texts, and names for ports", () => {
  const probe = { httpGet: { port: "http" } };
  const withCpu = (cpu: unknown) =>
    read(deployment({ name: "c", resources: { limits: { cpu } }, livenessProbe: probe }));
  expect(withCpu(1).wrongType?.text).toBeUndefined();
  expect(withCpu(1).value).toEqual(withCpu("1").value);
  expect(withCpu(0.25).value).toEqual(withCpu("250m").value);
});

test("leaves out what Go leaves out: to write a zero is no change", () => {
  const plain = deployment({ name: "c" });
  const zeros = deployment(
    { name: "c", env: [], ports: [], tty: false, workingDir: "", livenessProbe: null },
    { paused: false, minReadySeconds: 0 },
  );
  Object.assign(zeros.spec.template.spec, {
    hostNetwork: false,
    nodeName: "",
    tolerations: [],
    nodeSelector: {},
    hostAliases: null,
  });
  expect(read(zeros).value).toEqual(plain);
  // A pointer's zero is a value, and so is an empty struct.
  const pointers = { automountServiceAccountToken: false, securityContext: {}, enableServiceLinks: false };
  const kept = deployment({ name: "c" });
  Object.assign(kept.spec.template.spec, pointers);
  expect(read(kept).value).toEqual(kept);
});
