import {
  awaitRollout,
  containerOf,
  containerPath,
  declaredObjects,
  type Environment,
  keepsData,
  kubectl,
  type Manifest,
  podSelector,
  type RemedyContext,
  replaceStuckPods,
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

const of = (
  doc: string,
  value: (context: RemedyContext, one: RemedyCase) => string | undefined,
): Placeholder => ({
  doc,
  value: (one) => value(one.context, one),
});

const lines = (some: readonly string[]): string => (some.length > 0 ? some.join("\n") : "true");

/** Manifests of a large system take milliseconds, and every remedy asks for one. */
const rendered = new WeakMap<Environment, Map<string, readonly Manifest[]>>();

function manifestsOf({ environment, namespace }: RemedyContext): readonly Manifest[] {
  const known = rendered.get(environment) ?? new Map<string, readonly Manifest[]>();
  rendered.set(environment, known);
  const found = known.get(namespace) ?? declaredObjects(environment, { namespace });
  known.set(namespace, found);
  return found;
}

const manifestOf = (context: RemedyContext, kind: string, name: string): Manifest | undefined =>
  manifestsOf(context).find((one) => one.kind === kind && one.metadata.name === name);

/** An object of the environment as it is declared, in one line of JSON. */
function manifest(context: RemedyContext, kind: string, name?: string): string | undefined {
  return name === undefined ? undefined : asJson(manifestOf(context, kind, name));
}

/** A workload by its name, as the remedies change it. */
function partsOf(
  environment: Environment,
  namespace: string,
  name: string | undefined,
): RemedyContext | undefined {
  const workload = name === undefined ? undefined : environment.workloads[name];
  const [container] = workload?.containers ?? [];
  if (name === undefined || !workload || !container) return undefined;
  return { environment, namespace, target: name, name, workload, container: container.name };
}

/** One of the others: neither the target nor the load, a Deployment that serves something. */
const neighbourOf = ({ environment, namespace, name }: RemedyContext): RemedyContext | undefined => {
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

const callerOf = ({ environment, namespace, name }: RemedyContext): RemedyContext | undefined => {
  const found = Object.entries(environment.workloads).find(
    ([other, { kind, calls }]) =>
      other !== environment.load.from && kind === "Deployment" && calls.some(({ to }) => to === name),
  );
  return partsOf(environment, namespace, found?.[0]);
};

const dependencyOf = ({ environment, namespace, workload }: RemedyContext): RemedyContext | undefined =>
  workload.calls
    .map(({ to }) => partsOf(environment, namespace, to))
    .find((one) => one?.workload.kind === "Deployment" && servicesOver(environment, one.name).length > 0);

const loadOf = ({ environment, namespace, name }: RemedyContext): RemedyContext | undefined =>
  environment.load.from === name ? undefined : partsOf(environment, namespace, environment.load.from);

/** The target if it is one, else the first. */
const storeOf = ({ environment, namespace, name }: RemedyContext): RemedyContext | undefined => {
  const names = [name, ...Object.keys(environment.workloads)];
  return partsOf(
    environment,
    namespace,
    names.find((one) => keepsData(environment, one)),
  );
};

const serviceOf = (context: RemedyContext | undefined) =>
  context && servicesOver(context.environment, context.name)[0];

/** The claims of the environment's StatefulSets, of the first one that has any. */
function claimsOf({
  environment,
}: RemedyContext): { readonly owner: string; readonly names: string[] } | undefined {
  for (const [owner, { kind, replicas, volumes }] of Object.entries(environment.workloads)) {
    const claim = Object.values(volumes).find((volume) => volume.type === "claim" && volume.perPod);
    if (kind !== "StatefulSet" || claim?.type !== "claim") continue;
    return { owner, names: Array.from({ length: replicas }, (_, i) => `${claim.name}-${owner}-${i}`) };
  }
  return undefined;
}

const resourcesOf = (context: RemedyContext) => containerOf(context)?.resources;
const first = (some: Readonly<Record<string, unknown>>): string | undefined => Object.keys(some)[0];

/** The mount path of the target's data, as `dataMounts` of the environment has it. */
const dataMountOf = ({ environment, name }: RemedyContext): string | undefined =>
  environment.dataMounts[name];

const renderedContainer = (context: RemedyContext): Readonly<Record<string, unknown>> | undefined => {
  const found = manifestOf(context, context.workload.kind, context.name);
  const spec = found?.["spec"] as
    | { template: { spec: { containers: readonly Readonly<Record<string, unknown>>[] } } }
    | undefined;
  return spec?.template.spec.containers.find(({ name }) => name === context.container);
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
  image: of("image of its container", (context) => containerOf(context)?.image),
  replicas: of("replicas that it is declared with", ({ workload }) => String(workload.replicas)),
  moreReplicas: of(
    "one replica more; none where each keeps data of its own",
    ({ environment, name, workload }) =>
      keepsData(environment, name) ? undefined : String(workload.replicas + 1),
  ),
  selector: of("labels of its pods for `kubectl -l`", podSelector),
  matchLabels: of("the same as JSON", ({ workload }) => JSON.stringify(workload.selector)),
  podLabels: of("all labels of its pods as JSON", ({ workload }) => JSON.stringify(workload.labels)),
  port: of("a port that it listens on", (context) => asJson(containerOf(context)?.behaviour.listens[0])),
  manifest: of("the workload as it is declared, as JSON", (context) =>
    manifest(context, context.workload.kind, context.name),
  ),
  resources: of("its container's declared resources as JSON", (context) => asJson(resourcesOf(context))),
  cpuLimit: of("its declared limit of CPU", (context) => resourcesOf(context)?.limits.cpu),
  memoryLimit: of("its declared limit of memory", (context) => resourcesOf(context)?.limits.memory),
  cpuRequest: of("its declared request of CPU", (context) => resourcesOf(context)?.requests.cpu),
  memoryRequest: of("its declared request of memory", (context) => resourcesOf(context)?.requests.memory),
  readinessProbe: of("its container's probe as JSON", (context) =>
    asJson(renderedContainer(context)?.["readinessProbe"]),
  ),
  environmentVariable: of("name of a variable with a plain value that its container has", (context) =>
    Object.entries(containerOf(context)?.env ?? {})
      .filter(([, value]) => typeof value === "string")
      .map(([name]) => name)
      .at(0),
  ),
  livenessProbe: of("its container's liveness probe as JSON", (context) =>
    asJson(renderedContainer(context)?.["livenessProbe"]),
  ),
  dataMount: of("path of its data", dataMountOf),
  dataVolume: of("name of the volume with its data", (context) => {
    const path = dataMountOf(context);
    return path === undefined ? undefined : containerOf(context)?.volumeMounts[path];
  }),
  service: of("name of a Service that selects it", (context) => serviceOf(context)?.[0]),
  internalService: of(
    "the same, where it has no port on the nodes, which a new one would change",
    (context) => {
      const [name, service] = serviceOf(context) ?? [];
      return service?.type === "ClusterIP" ? name : undefined;
    },
  ),
  servicePort: of("first port of that Service", (context) => asJson(serviceOf(context)?.[1].ports[0]?.port)),
  serviceManifest: of("that Service as it is declared, as JSON", (context) =>
    manifest(context, "Service", serviceOf(context)?.[0]),
  ),
};

/** The same few facts of another workload. */
const another = (
  prefix: string,
  what: string,
  find: (context: RemedyContext) => RemedyContext | undefined,
): Readonly<Record<string, Placeholder>> => {
  const fact = (doc: string, value: (other: RemedyContext) => string | undefined): Placeholder =>
    of(`${doc} of ${what}`, (context) => {
      const other = find(context);
      return other && value(other);
    });
  return {
    [prefix]: fact("name", ({ name }) => name),
    [`${prefix}Workload`]: fact("kind and name", workloadPath),
    [`${prefix}Container`]: fact("container", ({ container }) => container),
    [`${prefix}ContainerPath`]: fact("JSON pointer to the container", containerPath),
    [`${prefix}Selector`]: fact("labels of the pods", ({ workload }) => selectorText(workload.selector)),
    [`${prefix}MatchLabels`]: fact("labels of the pods as JSON", ({ workload }) =>
      JSON.stringify(workload.selector),
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
  loadWorkload: of("the workload that sends the load", (context) => {
    const load = loadOf(context);
    return load && workloadPath(load);
  }),
  claims: of("names of claims, with spaces between", (context) => claimsOf(context)?.names.join(" ")),
  claim: of("name of one of these", (context) => claimsOf(context)?.names[0]),
  claimOwner: of("StatefulSet of these", (context) => claimsOf(context)?.owner),
  storeWorkload: of("kind and name of a workload whose replicas keep data of their own", (context) => {
    const store = storeOf(context);
    return store && workloadPath(store);
  }),
  storeMoreReplicas: of("one replica more of it", (context) => {
    const store = storeOf(context);
    return store && String(store.workload.replicas + 1);
  }),
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
    (context) => lines(replaceStuckPods(context)),
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
