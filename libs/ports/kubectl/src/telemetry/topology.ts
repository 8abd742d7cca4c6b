import type { Question } from "./question.ts";

const columns = {
  services: "S{.metadata.name}|{.spec.selector}",
  workloads:
    "W{.kind}/{.metadata.name}|{.spec.template.metadata.labels}|{.status.readyReplicas}{.status.numberReady}|{.spec.replicas}{.status.desiredNumberScheduled}|{.spec.template.spec.containers[*].env[*].value}",
  endpoints: "E{.metadata.name}|{.subsets[*].addresses[*].ip}|{.subsets[*].notReadyAddresses[*].ip}",
} as const;

const list = (kinds: string, line: string): string =>
  `kubectl get ${kinds} -o jsonpath='{range .items[*]}${line}{"\\n"}{end}'`;

/** Three lists in lines of their own kind, small enough for what is kept of an output. */
const script = [
  list("services", columns.services),
  list("deployments,statefulsets,daemonsets", columns.workloads),
  list("endpoints", columns.endpoints),
].join(" && ");

export const topology: Question = { argv: ["/bin/bash", "-c", script], render: renderTopology };

type Labels = Readonly<Record<string, string>>;

interface Workload {
  readonly name: string;
  readonly labels: Labels;
  readonly ready: string;
  readonly env: string;
}

/** Per service: the workloads behind it, how many of its addresses are ready, and the services that they are configured to call. */
export function renderTopology(printed: string): string {
  const lines = printed.split("\n");
  const rows = (mark: string) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1).split("|"));
  const workloads = rows("W").map(
    ([name = "", labels, ready, replicas, ...env]): Workload => ({
      name: name.toLowerCase(),
      labels: labelsFrom(labels),
      ready: `${ready || 0}/${replicas || 0} ready`,
      env: env.join("|"),
    }),
  );
  const addresses = new Map(
    rows("E").map(([name, ready, not]) => [name, `${count(ready)} up, ${count(not)} down`]),
  );
  const services = rows("S").map(([name = "", selector]) => ({ name, selector: labelsFrom(selector) }));
  const names = services.map(({ name }) => name);
  const seen = new Set<Workload>();
  const served = services.map(({ name, selector }) => {
    const behind = workloads.filter(({ labels }) => selects(selector, labels));
    for (const workload of behind) seen.add(workload);
    const calls = [...new Set(behind.flatMap((workload) => mentioned(workload, names)))].filter(
      (one) => one !== name,
    );
    return `service ${name} (addresses: ${addresses.get(name) ?? "none"}) -> ${renderWorkloads(behind)}${renderCalls(calls)}`;
  });
  const alone = workloads.filter((workload) => !seen.has(workload));
  const rest = alone.map(
    (one) => `${renderWorkloads([one])}, behind no service${renderCalls(mentioned(one, names))}`,
  );
  const all = [...served, ...rest];
  return all.length > 0 ? all.join("\n") : printed;
}

function renderWorkloads(workloads: readonly Workload[]): string {
  return workloads.map(({ name, ready }) => `${name} (${ready})`).join(", ") || "no workload";
}

function renderCalls(names: readonly string[]): string {
  return names.length > 0 ? `; configured to call ${names.join(", ")}` : "";
}

/** Services whose host names are in a workload's environment variables. */
function mentioned({ env }: Workload, services: readonly string[]): string[] {
  return services.filter((name) => new RegExp(`(?:^|[^\\w.-])${name}(?:[.:/,]|\\s|$)`).test(env));
}

function selects(selector: Labels, labels: Labels): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

function labelsFrom(json: string | undefined): Labels {
  try {
    return JSON.parse(json || "{}");
  } catch {
    return {};
  }
}

function count(list: string | undefined): number {
  return (list ?? "").split(/\s+/).filter(Boolean).length;
}
