import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { type Environment, type Kind, kinds, targetText, unionOfTruths } from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { loadCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await loadCatalogue();
/** `npm run prove` tries every system; else two, of which one leaves out what the API server fills in. */
const names =
  process.env["WHOLE_PROOF"] === "true" ? catalogue.environments.names : ["simple-micro", "online-boutique"];
const readable = Object.values(kinds).filter(({ kind }) =>
  ["Service", "Deployment", "StatefulSet", "DaemonSet"].includes(kind),
);

/** What a path of the ground truth leads to; undefined: nothing. */
function valueAt(object: unknown, field: string): unknown {
  const steps = field.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
  return steps.reduce<unknown>((value, step) => {
    const name = step.replace(/^\[(?:name=)?(.*)\]$/, "$1");
    if (Array.isArray(value)) return value.find((item) => item?.name === name) ?? value[Number(name)];
    return (value as Record<string, unknown> | undefined)?.[name];
  }, object);
}

const shown = (value: unknown): string =>
  value === undefined ? "absent" : typeof value === "string" ? value : JSON.stringify(value);

/** The first target of each fault whose truth names a field of an object that the system has, and that field. */
function fieldsIn(environment: Environment) {
  return catalogue.faults.all().flatMap((fault) => {
    const [first] = fault.targets(environment).map(targetText);
    if (fault.control || first === undefined) return [];
    const truth = fault.truth({ environment, target: first });
    const [object] = truth.objects;
    const kind: Kind | undefined = readable.find((one) => one.kind === object?.kind);
    // Words about a field, as of resources, are no value that can be read.
    return object && kind && object.field !== "" && !/\.resources\.(limits|requests)$/.test(object.field)
      ? [{ fault, truth, object, kind }]
      : [];
  });
}

test.each(names)("%s: who answers with the values of the running system is right", async (name) => {
  const environment = catalogue.environments.get(name);
  await using user = await aToolUser(catalogue, environment);
  await prepareArena(user.arena, { redeploy: false, timeoutSeconds: 900 });
  const { namespace } = environment;
  const all = fieldsIn(environment);
  expect(all.length).toBeGreaterThan(15);
  for (const { fault, truth, object, kind } of all) {
    const live = await user.arena.cluster.get(kind, namespace, object.name);
    const cause = {
      ...{ object: { kind: object.kind, name: object.name }, field: object.field, wrong: object.wrong },
      ...{ right: shown(valueAt(live, object.field)), mechanism: truth.mechanism },
      ...{ system_level: truth.systemLevel, fault_type: truth.faultType },
    };
    const context = {
      ...aGradeContext([truth], { causes: [cause] }),
      truth: unionOfTruths([truth]),
      environment,
      namespace,
    };
    const { passed, reason } = await catalogue.tasks.get("analysis").grade(context);
    expect([fault.name, passed], `${reason}: ${cause.right}, truth ${object.right}`).toEqual([
      fault.name,
      true,
    ]);
  }
});

/** What an agent may read of a fault in the running system, beside what the ground truth itself says. */
const readings = [
  { fault: "network-policy-deny", field: "spec.policyTypes", wrong: "live" },
  { fault: "network-policy-deny", field: "", wrong: "" },
  { fault: "sidecar-port-conflict", field: "spec.template.spec.containers[name=status-page]", wrong: "live" },
  { fault: "sidecar-port-conflict", field: "spec.template.spec.containers[1]", wrong: "status-page" },
  {
    fault: "sidecar-port-conflict",
    field: "spec.template.spec.containers[name=status-page].command",
    wrong: "live",
  },
  { fault: "sidecar-port-conflict", field: "spec.template.spec.containers[1]", wrong: "port 5001" },
];

test("who answers with the wrong value as the running system has it is right", async () => {
  const environment = catalogue.environments.get("simple-micro");
  await using user = await aToolUser(catalogue, environment);
  const { arena } = user;
  const { namespace } = environment;
  for (const [name, asked] of Map.groupBy(readings, ({ fault }) => fault)) {
    await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
    const incident = { failure: name, target: "time-service", concealment: "neutral" } as const;
    const body = await injectFailure(arena, { ...incident, seed: "values", timeoutSeconds: 240 });
    expect(body.status, name).toBe("ok");
    const truth = catalogue.faults.get(name).truth({ environment, target: "time-service" });
    const [object] = truth.objects;
    const kind = Object.values(kinds).find((one) => one.kind === object?.kind) as Kind;
    const live = await arena.cluster.get(kind, namespace, object?.name ?? "");
    for (const { field, wrong } of asked) {
      const cause = {
        ...{ object: { kind: kind.kind, name: object?.name ?? "" }, field },
        wrong: wrong === "live" ? shown(valueAt(live, field)) : wrong,
        ...{ right: field === "" ? "" : "absent", mechanism: truth.mechanism },
        ...{ system_level: truth.systemLevel, fault_type: truth.faultType },
      };
      const context = {
        ...aGradeContext([truth], { causes: [cause] }),
        ...{ truth: unionOfTruths([truth]), environment, namespace },
      };
      const { passed, reason } = await catalogue.tasks.get("analysis").grade(context);
      expect([name, field, passed], `${reason}: ${cause.wrong}`).toEqual([name, field, true]);
    }
    const { baseline } = body;
    await restoreArena(arena, { ...incident, ...(baseline && { baseline }), timeoutSeconds: 900 });
  }
});

test("who names both fields of one fault loses nothing", async () => {
  const environment = catalogue.environments.get("simple-micro");
  const truth = catalogue.faults
    .get("rolling-update-all-at-once")
    .truth({ environment, target: "time-service" });
  const [strategy, inits] = truth.objects.map(({ kind, name, field, wrong, right }) => ({
    ...{ object: { kind, name }, field, wrong, right, mechanism: truth.mechanism },
    ...{ system_level: truth.systemLevel, fault_type: truth.faultType },
  }));
  const hanging = { ...inits, mechanism: "program-cannot-start" };
  const passed = async (...causes: unknown[]): Promise<boolean> => {
    const context = {
      ...aGradeContext([truth], { causes }),
      ...{ truth: unionOfTruths([truth]), environment, namespace: environment.namespace },
    };
    return (await catalogue.tasks.get("analysis").grade(context)).passed;
  };
  expect(await passed(strategy, hanging)).toBe(true);
  expect(await passed(hanging, strategy)).toBe(true);
  // The container alone is no unsafe rollout.
  expect(await passed(inits)).toBe(false);
  expect(await passed(inits, strategy)).toBe(true);
  // A second mechanism of the same field is a guess, and another value is no cause.
  expect(await passed(strategy, { ...strategy, mechanism: "program-cannot-start" })).toBe(false);
  expect(await passed(strategy, { ...hanging, wrong: "none" })).toBe(false);
});
