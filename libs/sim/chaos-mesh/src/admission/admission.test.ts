import { StatusError } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { chaosRef } from "../model/refs.ts";
import { createChaosWorld } from "../testing/chaos-world.ts";
import { chaosAdmission } from "./admission.ts";

const selector = { labelSelectors: { app: "cart" } };
const common = { selector, mode: "all" };

function refusal(plural: string, spec: object): { code: number; reason: string; message: string } {
  try {
    createChaosWorld().create(plural, "x", spec);
  } catch (thrown) {
    if (thrown instanceof StatusError)
      return { code: thrown.code, reason: thrown.reason, message: thrown.message };
    throw thrown;
  }
  throw new Error("the manifest was accepted");
}

const denied = (plural: string, spec: object): string => {
  const { code, reason, message } = refusal(plural, spec);
  expect([code, reason]).toEqual([403, "Forbidden"]);
  const prefix = `admission webhook "v${plural}.kb.io" denied the request: `;
  expect(message.startsWith(prefix)).toBe(true);
  return message.slice(prefix.length);
};

const cpu = { stressors: { cpu: { workers: 1 } } };

test.each<[string, string, object, string]>([
  [
    "fixed without value",
    "stresschaos",
    { selector, mode: "fixed", ...cpu },
    '[Spec.ContainerSelector.value: Invalid value: "": parse value field error:strconv.Atoi: parsing "": invalid syntax, Spec.ContainerSelector.PodSelector.value: Invalid value: "": parse value field error:strconv.Atoi: parsing "": invalid syntax]',
  ],
  [
    "fixed without value, three levels deep",
    "iochaos",
    { selector, mode: "fixed", action: "latency", delay: "1s", volumePath: "/data" },
    `[${["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value", "Spec.value"]
      .map(
        (path) =>
          `${path}: Invalid value: "": parse value field error:strconv.Atoi: parsing "": invalid syntax`,
      )
      .join(", ")}]`,
  ],
  [
    "fixed without value, for the other side",
    "networkchaos",
    { ...common, action: "partition", target: { selector, mode: "fixed" } },
    'Spec.Target.value: Invalid value: "": parse value field error:strconv.Atoi: parsing "": invalid syntax',
  ],
  [
    "correlation",
    "networkchaos",
    { ...common, action: "loss", loss: { loss: "abc" } },
    'Spec.TcParameter.Loss.Loss: Invalid value: "abc": parse correlation field error:strconv.ParseFloat: parsing "abc": invalid syntax',
  ],
  [
    "from without target",
    "networkchaos",
    { ...common, action: "delay", delay: { latency: "1s" }, direction: "from" },
    'Spec.direction: Invalid value: "from": `from` and `both` direction cannot be used when targets is empty in netem action',
  ],
  [
    "both with external targets",
    "networkchaos",
    {
      ...common,
      action: "delay",
      delay: { latency: "1s" },
      direction: "both",
      target: common,
      externalTargets: ["1.1.1.1"],
    },
    'Spec.direction: Invalid value: "both": external targets cannot be used with `from` and `both` direction in netem action yet',
  ],
  [
    "fixed 0",
    "networkchaos",
    { selector, mode: "fixed", value: "0", action: "partition" },
    'Spec.PodSelector.value: Invalid value: "0": value must be greater than 0 with mode:fixed',
  ],
  [
    "fixed-percent 101",
    "networkchaos",
    { selector, mode: "fixed-percent", value: "101", action: "partition" },
    'Spec.PodSelector.value: Invalid value: "101": value of 101 is invalid, Must be (0,100] with mode:fixed-percent',
  ],
  [
    "duration without unit",
    "stresschaos",
    { ...common, ...cpu, duration: "300" },
    'Spec.Duration: Invalid value: "300": parse duration field error: time: missing unit in duration "300"',
  ],
  [
    "duration with an unknown unit",
    "stresschaos",
    { ...common, ...cpu, duration: "5minutes" },
    'Spec.Duration: Invalid value: "5minutes": parse duration field error: time: unknown unit "minutes" in duration "5minutes"',
  ],
  [
    "no stressors",
    "stresschaos",
    common,
    "Spec: Invalid value: v1alpha1.StressChaosSpec{...}: missing stressors",
  ],
  [
    "empty stressors",
    "stresschaos",
    { ...common, stressors: {} },
    "Spec.Stressors: Invalid value: v1alpha1.Stressors{...}: missing stressors",
  ],
  [
    "memory size unit",
    "stresschaos",
    { ...common, stressors: { memory: { workers: 1, size: "256Q" } } },
    "Spec.Stressors.MemoryStressor.Size: Invalid value: \"256Q\": incorrect bytes format: invalid size: '256Q'",
  ],
  [
    "memory size share",
    "stresschaos",
    { ...common, stressors: { memory: { workers: 1, size: "150%" } } },
    'Spec.Stressors.MemoryStressor.Size: Invalid value: "150%": illegal proportion',
  ],
  [
    "latency without unit",
    "networkchaos",
    { ...common, action: "delay", delay: { latency: "100" } },
    'Spec.TcParameter.Delay.Latency: Invalid value: "100": parse duration field error: time: missing unit in duration "100"',
  ],
  [
    "loss with a percent sign",
    "networkchaos",
    { ...common, action: "loss", loss: { loss: "50%" } },
    'Spec.TcParameter.Loss.Loss: Invalid value: "50%": parse correlation field error:strconv.ParseFloat: parsing "50%": invalid syntax',
  ],
  [
    "both without target",
    "networkchaos",
    { ...common, action: "loss", loss: { loss: "50" }, direction: "both" },
    'Spec.direction: Invalid value: "both": `from` and `both` direction cannot be used when targets is empty in netem action',
  ],
  [
    "from with external targets",
    "networkchaos",
    {
      ...common,
      action: "loss",
      loss: { loss: "50" },
      direction: "from",
      target: common,
      externalTargets: ["1.1.1.1"],
    },
    'Spec.direction: Invalid value: "from": external targets cannot be used with `from` and `both` direction in netem action yet',
  ],
  [
    "bandwidth rate",
    "networkchaos",
    { ...common, action: "bandwidth", bandwidth: { rate: "1mbs", limit: 1, buffer: 1 } },
    'Spec.TcParameter.Bandwidth.Rate: Invalid value: "1mbs": parse rate field error:invalid unit',
  ],
  [
    "fault without errno",
    "iochaos",
    { ...common, action: "fault", volumePath: "/data" },
    "Spec.Errno: Invalid value: 0x0: action fault: errno 0 is not supported",
  ],
  [
    "percent above 100",
    "iochaos",
    { ...common, action: "latency", delay: "1s", volumePath: "/data", percent: 101 },
    "Spec.Percent: Invalid value: 101: percent field should be in 0-100",
  ],
  [
    "container-kill without names",
    "podchaos",
    { ...common, action: "container-kill" },
    "Spec.containerNames: Invalid value: []string(nil): the name of container is required on container-kill action: invalid value",
  ],
  [
    "time offset",
    "timechaos",
    { ...common, timeOffset: "1d" },
    'Spec.TimeOffset: Invalid value: "1d": parse timeOffset field error:time: unknown unit "d" in duration "1d"',
  ],
  [
    "http",
    "httpchaos",
    { ...common, target: "Request", method: "FOO", delay: "abc" },
    '[Spec.Port: Invalid value: 0: port 0 is not supported, Spec.Method: Invalid value: "FOO": method FOO is not supported, Spec.PodHttpChaosActions.Delay: Invalid value: "abc": invalid duration abc]',
  ],
])("refuses with 403 and Go's words: %s", (_what, plural, spec, text) => {
  expect(denied(plural, spec)).toBe(text);
});

test("answers 400 without a reason to a wrong JSON type, as the mutating webhook does", () => {
  expect(refusal("networkchaos", { ...common, action: "loss", loss: { loss: 50 } })).toEqual({
    code: 400,
    reason: "",
    message:
      'admission webhook "mnetworkchaos.kb.io" denied the request: json: cannot unmarshal number into Go struct field LossSpec.spec.loss.loss of type string',
  });
  expect(refusal("stresschaos", { ...common, stressors: { cpu: { workers: "1" } } }).message).toContain(
    "json: cannot unmarshal string into Go struct field CPUStressor.spec.stressors.cpu.workers of type int",
  );
});

test.each<[string, object]>([
  ["a partition from the other side needs no target", { ...common, action: "partition", direction: "both" }],
  ["a loss above 100", { ...common, action: "loss", loss: { loss: "150" } }],
  ["an empty duration", { ...common, action: "partition", duration: "" }],
  ["a negative duration", { ...common, action: "partition", duration: "-5m" }],
  ["a delay without its block", { ...common, action: "delay" }],
])("accepts, as the webhooks do: %s", (_what, spec) => {
  expect(createChaosWorld().create("networkchaos", "x", spec).kind).toBe("networkchaos");
});

test.each<[string, object]>([
  ["no workers", { stressors: { cpu: { workers: 0 } } }],
  ["negative workers", { stressors: { cpu: { workers: -1 } } }],
  ["memory without a size", { stressors: { memory: { workers: 1 } } }],
])("accepts a stress with %s, says that it is injected, and stresses nothing", (_what, stress) => {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  world.create("stresschaos", "x", { ...common, ...stress });
  world.loop.advance(5000);
  expect(world.holds("stresschaos", "x")).toEqual(["Selected", "AllInjected"]);
  const processes = sandbox?.containers.get("cart")?.processes ?? [];
  const stressors = processes.filter(({ owner }) => owner);
  expect(stressors.reduce((sum, { cpuDemand }) => sum + cpuDemand, 0)).toBe(0);
  expect(stressors.every(({ memoryBytes }) => memoryBytes < 8 << 20)).toBe(true);
});

test("answers 422 to what the CRD's schema forbids", () => {
  expect(refusal("stresschaos", { selector, mode: "two", ...cpu })).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'StressChaos.chaos-mesh.org "x" is invalid: spec.mode: Unsupported value: "two": supported values: "one", "all", "fixed", "fixed-percent", "random-max-percent"',
  });
  expect(refusal("stresschaos", cpu).message).toBe(
    'StressChaos.chaos-mesh.org "x" is invalid: [spec.selector: Required value, spec.mode: Required value]',
  );
});

test("fills in the namespace, the CRD's defaults and an empty status, and drops unknown fields", () => {
  const world = createChaosWorld();
  const created = world.create("iochaos", "x", {
    ...common,
    action: "latency",
    delay: "1s",
    volumePath: "/data",
    percent: 0,
    nonsense: 1,
  });
  expect(created.spec).toEqual({
    ...common,
    selector: { ...selector, namespaces: ["shop"] },
    action: "latency",
    delay: "1s",
    volumePath: "/data",
    percent: 100,
  });
  expect(created.status).toEqual({ experiment: {} });
});

test("never lets a spec change, but lets metadata change", () => {
  const world = createChaosWorld();
  const old = world.create("stresschaos", "x", { ...common, ...cpu });
  const update = (object: object): void => {
    const hook = chaosAdmission();
    const request = {
      operation: "UPDATE",
      old,
      user: { name: "u", uid: "", groups: [] },
      namespace: "shop",
      group: chaosRef("").group,
      resource: "stresschaos",
    } as const;
    const mutated = hook.mutate?.({ ...request, object: { ...old, ...object } });
    if (mutated) hook.validate?.({ ...request, object: mutated });
  };
  expect(() => update({ metadata: { ...old.metadata, annotations: { a: "b" } } })).not.toThrow();
  expect(() => update({ spec: { ...old.spec, duration: "5m" } })).toThrow(
    'admission webhook "vstresschaos.kb.io" denied the request: Cannot update chaos spec',
  );
});

test("refuses an experiment that reaches a namespace where the user may not create it", () => {
  const hook = chaosAdmission({ mayCreate: (_user, namespace) => namespace === "shop" });
  const request = {
    operation: "CREATE",
    object: {
      apiVersion: "",
      kind: "",
      metadata: {},
      spec: { ...common, ...cpu, selector: { namespaces: ["other"] } },
    },
    old: undefined,
    user: { name: "agent", uid: "", groups: [] },
    namespace: "shop",
    group: "chaos-mesh.org",
    resource: "stresschaos",
  } as const;
  expect(() => hook.validate?.(request)).toThrow(
    'admission webhook "vauth.kb.io" denied the request: agent is forbidden on namespace other',
  );
});
