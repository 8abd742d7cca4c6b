import type { Behaviour, ContainerSpec } from "@microremed/catalogue/environment";
import type { InferredCall } from "./infer/calls.ts";
import { unmatchedAddresses } from "./infer/unmatched.ts";
import { ingressBackends } from "./ingress.ts";
import type { InferredModel } from "./make-model.ts";
import type { Confidence, Marked } from "./marked.ts";
import { behind, type System } from "./system.ts";

/** One value of the model, for a table. */
export interface Finding {
  /** Such as `geo`, `geo/hotel-reserv-geo`, `geo -> mongodb-geo`. */
  readonly place: string;
  /** Such as `runtime`, `ports`, `call`, `numbers`. */
  readonly what: string;
  readonly value: string;
  readonly confidence: Confidence;
  readonly why: string;
}

/** All that was inferred, and what an author has to add. */
export function findingsOf(
  system: System,
  model: InferredModel,
): { readonly findings: Finding[]; readonly missing: string[] } {
  const findings: Finding[] = [];
  const add = (place: string, what: string, marked: Marked<unknown> | undefined): void => {
    if (!marked) return;
    const { value, confidence, why } = marked;
    findings.push({
      place,
      what,
      value: Array.isArray(value) ? value.join(", ") : String(value),
      confidence,
      why,
    });
  };
  const addCalls = (from: string, calls: readonly InferredCall[]): void => {
    for (const { call, confidence, why } of calls)
      findings.push({
        place: `${from} -> ${call.to}`,
        what: "call",
        value: `${call.protocol} ${call.address}`,
        confidence,
        why,
      });
  };
  add("workload", "entry", model.entry?.address);
  add("workload", "from", model.entry?.from);
  add("workload", "requestsPerSecond", model.requestsPerSecond);
  for (const { name, programs, calls, dataMount, keepsData } of model.workloads) {
    for (const [container, program] of programs)
      for (const [key, value] of Object.entries(program))
        add(`${name}/${container}`, key, value as Marked<unknown>);
    add(name, "keepsData", keepsData);
    add(name, "dataMount", dataMount);
    addCalls(name, calls);
  }
  for (const { name, programs, calls } of model.jobs) {
    for (const [container, program] of programs)
      for (const [key, value] of Object.entries(program))
        add(
          `Job ${name}/${container}`,
          key,
          key === "ends" ? endingOf(value as Marked<Ending>) : (value as Marked<unknown>),
        );
    addCalls(`Job ${name}`, calls);
  }
  return { findings, missing: missingOf(system, model) };
}

type Ending = NonNullable<Behaviour["ends"]>;

const endingOf = ({ value: { afterSeconds, exitCode }, ...rest }: Marked<Ending>): Marked<string> => ({
  ...rest,
  value: `${exitCode} after ${afterSeconds} s`,
});

function missingOf(system: System, model: InferredModel): string[] {
  const list = (names: readonly string[]): string =>
    names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
  const line = (names: readonly string[], text: string): string[] =>
    names.length === 0 ? [] : [`${list(names)}: ${text}`];
  const called = new Set(
    [...model.workloads, ...model.jobs].flatMap(({ calls }) => calls.map(({ call }) => call.to)),
  );
  const alone = model.workloads.filter(
    ({ name, calls, role }) =>
      calls.length === 0 &&
      !called.has(name) &&
      role !== "telemetry" &&
      role !== "registry" &&
      model.entry?.workload !== name,
  );
  const all = [...system.workloads];
  const without = (test: (workload: (typeof all)[number][1]) => boolean): string[] =>
    all.filter(([, one]) => test(one)).map(([name]) => name);
  return [
    ...(model.entry ? [] : ["entry: nothing shows which Service receives the users' requests"]),
    ...line(
      alone.map(({ name }) => name),
      "nothing shows what they call or what calls them; add calls to model.yaml, or import a running system with traces",
    ),
    ...line(
      without(({ containers: [first] }) => first?.readinessProbe === undefined),
      "no readiness probe, so that they count as Ready as soon as they run",
    ),
    ...line(
      without(({ containers }) => containers.some(({ resources }) => resources.limits.memory === undefined)),
      "no memory limit, so that faults of memory have nothing to act on",
    ),
    ...line(
      without(({ containers }) =>
        containers.some(({ image }) => !/[:@][^/]+$/.test(image) || image.endsWith(":latest")),
      ),
      "an image without a version, which is another one tomorrow",
    ),
    ...line(
      without(({ containers }) => containers.some(isWorker)),
      "an interpreter's program without ports or probes is not known: embedded clusters take it to run on and do nothing, and one in its command line (-c, -e) to fail",
    ),
    ...storageClasses(system).map(
      (name) =>
        `StorageClass ${name}: claims name it, and it is not among the manifests; the cluster must have it`,
    ),
    ...[...system.services].flatMap(([name, { selector }]) =>
      Object.keys(selector).length > 0 && behind(system, name).length === 0
        ? [`Service ${name}: it selects no workload's pods`]
        : [],
    ),
    ...leadingNowhere(system),
    ...unmatched(system),
  ];
}

/** Addresses that are named one by one. */
const mostAddresses = 12;

function unmatched(system: System): string[] {
  const all = [...unmatchedAddresses(system)];
  const lines = all
    .slice(0, mostAddresses)
    .map(
      ([address, where]) =>
        `${address} (${where}): no Service of the manifests has this address, so the model has no call to it`,
    );
  const left = all.length - lines.length;
  return left > 0 ? [...lines, `${left} more addresses lead to no Service of the manifests`] : lines;
}

/** Backends of Ingresses that are not among the manifests. */
function leadingNowhere({ manifests, services }: System): string[] {
  const lines = ingressBackends(manifests).flatMap(({ name, service, port }) => {
    const ports = services.get(service)?.ports;
    if (!ports)
      return [`Ingress ${name}: it leads to the Service ${service}, which is not among the manifests`];
    const isThere = port === undefined || ports.some((one) => one.port === port || one.name === port);
    return isThere
      ? []
      : [`Ingress ${name}: it leads to the port ${port} of the Service ${service}, which has none such`];
  });
  return [...new Set(lines)];
}

/** Whether a container runs what others have written, and nothing says that it serves. */
const isWorker = ({
  command = [],
  args = [],
  ports,
  readinessProbe,
  livenessProbe,
  startupProbe,
}: Worker): boolean =>
  /(^|\/)(python[\d.]*|node(js)?|npm|npx|yarn|java|ruby|perl|php|dotnet|deno|bun)$/.test(
    [...command, ...args][0] ?? "",
  ) &&
  ports.length === 0 &&
  [readinessProbe, livenessProbe, startupProbe].every((probe) => probe === undefined);

type Worker = Pick<
  ContainerSpec,
  "command" | "args" | "ports" | "readinessProbe" | "livenessProbe" | "startupProbe"
>;

const named = /"storageClassName":"([^"]+)"/g;

/** Storage classes that claims name and the manifests do not have. A volume of the same class is enough for them. */
function storageClasses({ manifests }: System): string[] {
  const there = new Set(
    manifests.flatMap((one) =>
      one.kind === "StorageClass"
        ? [one.metadata.name]
        : one.kind === "PersistentVolume"
          ? [...JSON.stringify(one).matchAll(named)].map(([, name]) => name)
          : [],
    ),
  );
  const wanted = manifests
    .filter(({ kind }) => kind === "PersistentVolumeClaim" || kind === "StatefulSet")
    .flatMap((one) => [...JSON.stringify(one).matchAll(named)].map(([, name = ""]) => name));
  return [...new Set(wanted)].filter((name) => !there.has(name));
}
