import {
  awaitRollout,
  containerOf,
  containerPath,
  type Environment,
  kubectl,
  type Manifest,
  type Patient,
  podLabelsOf,
  podSelector,
  renderManifests,
  replaceStuckPods,
  selectorOf,
  selectorText,
  servicesOver,
  workloadPath,
} from "@microremed/catalogue";
import type { RemedyCase } from "./remedy-case.ts";
import { rightRepair } from "./right-repair.ts";

interface Placeholder {
  /** For the docs: what it becomes. */
  readonly doc: string;
  /** Undefined: the case has none, so that a remedy with it cannot be done there. */
  value(one: RemedyCase): string | undefined;
}

const of = (doc: string, value: (patient: Patient, one: RemedyCase) => string | undefined): Placeholder => ({
  doc,
  value: (one) => value(one.patient, one),
});

const lines = (some: readonly string[]): string => (some.length > 0 ? some.join("\n") : "true");

/** Manifests of a large system take milliseconds, and every remedy asks for one. */
const rendered = new WeakMap<Environment, Map<string, readonly Manifest[]>>();

function manifestsOf({ environment, namespace }: Patient): readonly Manifest[] {
  const known = rendered.get(environment) ?? new Map<string, readonly Manifest[]>();
  rendered.set(environment, known);
  const found = known.get(namespace) ?? renderManifests(environment, { namespace });
  known.set(namespace, found);
  return found;
}

const manifestOf = (patient: Patient, kind: string, name: string): Manifest | undefined =>
  manifestsOf(patient).find((one) => one.kind === kind && one.metadata.name === name);

/** An object of the environment as it is declared, in one line of JSON. */
function manifest(patient: Patient, kind: string, name?: string): string | undefined {
  return name === undefined ? undefined : asJson(manifestOf(patient, kind, name));
}

/** A workload by its name, as the remedies change it. */
function partsOf(environment: Environment, namespace: string, name: string | undefined): Patient | undefined {
  const workload = name === undefined ? undefined : environment.workloads[name];
  const [container] = workload?.containers ?? [];
  if (name === undefined || !workload || !container) return undefined;
  return { environment, namespace, target: name, name, workload, container: container.name };
}

/** One of the others: neither the target nor the load, a Deployment that serves something. */
const neighbourOf = ({ environment, namespace, name }: Patient): Patient | undefined => {
  const found = Object.entries(environment.workloads).find(
    ([other, { kind, containers }]) =>
      other !== name &&
      other !== environment.load.from &&
      kind === "Deployment" &&
      (containers[0]?.behaviour.listens.length ?? 0) > 0 &&
      servicesOver(environment, other).length > 0,
  );
  return partsOf(environment, namespace, found?.[0]);
};

const callerOf = ({ environment, namespace, name }: Patient): Patient | undefined => {
  const found = Object.entries(environment.workloads).find(
    ([other, { kind, calls }]) =>
      other !== environment.load.from && kind === "Deployment" && calls.some(({ to }) => to === name),
  );
  return partsOf(environment, namespace, found?.[0]);
};

const dependencyOf = ({ environment, namespace, workload }: Patient): Patient | undefined =>
  workload.calls
    .map(({ to }) => partsOf(environment, namespace, to))
    .find((one) => one?.workload.kind === "Deployment" && servicesOver(environment, one.name).length > 0);

const loadOf = ({ environment, namespace, name }: Patient): Patient | undefined =>
  environment.load.from === name ? undefined : partsOf(environment, namespace, environment.load.from);

const serviceOf = (patient: Patient | undefined) =>
  patient && servicesOver(patient.environment, patient.name)[0];

/** The claims of the environment's StatefulSets, of the first one that has any. */
function claimsOf({
  environment,
}: Patient): { readonly owner: string; readonly names: string[] } | undefined {
  for (const [owner, { kind, replicas, volumes }] of Object.entries(environment.workloads)) {
    const [claim] = Object.entries(volumes).find(([, volume]) => volume.type === "claim") ?? [];
    if (kind !== "StatefulSet" || claim === undefined) continue;
    return { owner, names: Array.from({ length: replicas }, (_, i) => `${claim}-${owner}-${i}`) };
  }
  return undefined;
}

const resourcesOf = (patient: Patient) => containerOf(patient)?.resources;
const first = (some: Readonly<Record<string, unknown>>): string | undefined => Object.keys(some)[0];

/** The mount path of the target's data, as `dataMounts` of the environment has it. */
const dataMountOf = ({ environment, name }: Patient): string | undefined => environment.dataMounts[name];

const renderedContainer = (patient: Patient): Readonly<Record<string, unknown>> | undefined => {
  const found = manifestOf(patient, patient.workload.kind, patient.name);
  const spec = found?.["spec"] as
    | { template: { spec: { containers: readonly Readonly<Record<string, unknown>>[] } } }
    | undefined;
  return spec?.template.spec.containers.find(({ name }) => name === patient.container);
};

const asJson = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

const reachableCause = ({ fault, concealment }: RemedyCase): { readonly kind: string } | undefined =>
  concealment === "none" ? fault.cause : undefined;

const target: Readonly<Record<string, Placeholder>> = {
  namespace: of("of the arena", ({ namespace }) => namespace),
  kubectl: of("kubectl with the arena's namespace", kubectl),
  target: of("name of the failed workload", ({ name }) => name),
  workload: of("kind and name of the failed workload, e.g. `deployment/cart`", workloadPath),
  kind: of("kind of the failed workload", ({ workload }) => workload.kind),
  container: of("name of its container", ({ container }) => container),
  containerPath: of("JSON pointer to its container", containerPath),
  image: of("image of its container", (patient) => containerOf(patient)?.image),
  replicas: of("replicas that it is declared with", ({ workload }) => String(workload.replicas)),
  moreReplicas: of("one replica more", ({ workload }) => String(workload.replicas + 1)),
  selector: of("labels of its pods for `kubectl -l`", podSelector),
  matchLabels: of("the same as JSON", ({ name, workload }) => JSON.stringify(selectorOf(name, workload))),
  podLabels: of("all labels of its pods as JSON", ({ environment, name, workload }) =>
    JSON.stringify(podLabelsOf(environment, name, workload)),
  ),
  port: of("a port that it listens on", (patient) => asJson(containerOf(patient)?.behaviour.listens[0])),
  manifest: of("the workload as it is declared, as JSON", (patient) =>
    manifest(patient, patient.workload.kind, patient.name),
  ),
  resources: of("its container's declared resources as JSON", (patient) => asJson(resourcesOf(patient))),
  cpuLimit: of("its declared limit of CPU", (patient) => resourcesOf(patient)?.limits.cpu),
  memoryLimit: of("its declared limit of memory", (patient) => resourcesOf(patient)?.limits.memory),
  cpuRequest: of("its declared request of CPU", (patient) => resourcesOf(patient)?.requests.cpu),
  memoryRequest: of("its declared request of memory", (patient) => resourcesOf(patient)?.requests.memory),
  readinessProbe: of("its container's probe as JSON", (patient) =>
    asJson(renderedContainer(patient)?.["readinessProbe"]),
  ),
  environmentVariable: of("name of a variable with a plain value that its container has", (patient) =>
    Object.entries(containerOf(patient)?.env ?? {})
      .filter(([, value]) => typeof value === "string")
      .map(([name]) => name)
      .at(0),
  ),
  dataMount: of("path of its data", dataMountOf),
  dataVolume: of("name of the volume with its data", (patient) => {
    const path = dataMountOf(patient);
    return path === undefined ? undefined : containerOf(patient)?.volumeMounts[path];
  }),
  service: of("name of a Service that selects it", (patient) => serviceOf(patient)?.[0]),
  servicePort: of("first port of that Service", (patient) => asJson(serviceOf(patient)?.[1].ports[0]?.port)),
  serviceManifest: of("that Service as it is declared, as JSON", (patient) =>
    manifest(patient, "Service", serviceOf(patient)?.[0]),
  ),
};

/** The same few facts of another workload. */
const another = (
  prefix: string,
  what: string,
  find: (patient: Patient) => Patient | undefined,
): Readonly<Record<string, Placeholder>> => {
  const fact = (doc: string, value: (other: Patient) => string | undefined): Placeholder =>
    of(`${doc} of ${what}`, (patient) => {
      const other = find(patient);
      return other && value(other);
    });
  return {
    [prefix]: fact("name", ({ name }) => name),
    [`${prefix}Workload`]: fact("kind and name", workloadPath),
    [`${prefix}Container`]: fact("container", ({ container }) => container),
    [`${prefix}ContainerPath`]: fact("JSON pointer to the container", containerPath),
    [`${prefix}Selector`]: fact("labels of the pods", ({ name, workload }) =>
      selectorText(selectorOf(name, workload)),
    ),
    [`${prefix}MatchLabels`]: fact("labels of the pods as JSON", ({ name, workload }) =>
      JSON.stringify(selectorOf(name, workload)),
    ),
    [`${prefix}Service`]: fact("a Service", (other) => serviceOf(other)?.[0]),
    [`${prefix}Probe`]: fact("the readiness probe as JSON", (other) =>
      asJson(renderedContainer(other)?.["readinessProbe"]),
    ),
    [`${prefix}CpuLimit`]: fact("the declared limit of CPU", (other) => resourcesOf(other)?.limits.cpu),
  };
};

const others: Readonly<Record<string, Placeholder>> = {
  ...another("neighbour", "another workload that serves", neighbourOf),
  ...another("caller", "a workload that calls the target", callerOf),
  ...another("dependency", "a workload that the target calls", dependencyOf),
  loadWorkload: of("the workload that sends the load", (patient) => {
    const load = loadOf(patient);
    return load && workloadPath(load);
  }),
  claims: of("names of claims, with spaces between", (patient) => claimsOf(patient)?.names.join(" ")),
  claim: of("name of one of these", (patient) => claimsOf(patient)?.names[0]),
  claimOwner: of("StatefulSet of these", (patient) => claimsOf(patient)?.owner),
  configMap: of("name of one", ({ environment }) => first(environment.configMaps)),
  secret: of("name of one", ({ environment }) => first(environment.secrets)),
};

const cause: Readonly<Record<string, Placeholder>> = {
  chaosResource: of(
    "resource of the chaos object, e.g. `networkchaos`; none where it is concealed",
    (_, one) => reachableCause(one)?.kind.toLowerCase(),
  ),
  chaosKind: of("its kind, e.g. `NetworkChaos`", (_, one) => reachableCause(one)?.kind),
  chaosName: of("its name", (_, one) => reachableCause(one) && one.fault.name),
};

const steps: Readonly<Record<string, Placeholder>> = {
  repair: of(
    "lines that end the fault for good, for remedies that break something else besides",
    (_, one) => {
      const found = rightRepair(one);
      return found && lines(found);
    },
  ),
  awaitRollout: of("waits for the failed workload's rollout", awaitRollout),
  replaceStuckPods: of(
    "deletes the pods of a StatefulSet, which replaces no pod that is not Ready",
    (patient) => lines(replaceStuckPods(patient)),
  ),
};

/** Every placeholder by its name. */
export const placeholders: Readonly<Record<string, Placeholder>> = {
  ...target,
  ...others,
  ...cause,
  ...steps,
};

/** The names of all placeholders, for messages about unknown ones. */
export const placeholderNames: readonly string[] = Object.keys(placeholders);

export const isPlaceholder = (name: string): boolean => Object.hasOwn(placeholders, name);

const written = /@([a-z][A-Za-z]*)@/g;

/** The names between `@` in a template, each once. */
export function placeholdersIn(template: string): string[] {
  return [...new Set([...template.matchAll(written)].map(([, name = ""]) => name))];
}

/** A template with its values; lines of a value get the indentation of the line that it is in. */
export function fillTemplate(template: string, one: RemedyCase): string {
  return template.replace(/^([ \t]*)(.*)$/gm, (_, indent: string, rest: string) => {
    const filled = rest.replace(written, (_all, name: string) => placeholders[name]?.value(one) ?? "");
    return indent + filled.replaceAll("\n", `\n${indent}`);
  });
}
