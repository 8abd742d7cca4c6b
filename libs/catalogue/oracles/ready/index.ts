import {
  defineOracle,
  isPodReady,
  isSameImage,
  judged,
  type OracleVerdict,
  type Pod,
  rolloutProblems,
  symptomOf,
  type TargetState,
  type Workload,
} from "@microremed/catalogue";
import { probeProblem } from "./probe-problem.ts";

/**
 * The workload is whole: as many replicas as before, all updated, Ready by their own readiness probe, running their own
 * images, and reachable. Refuses: deleting or scaling it away, a pod that never becomes Ready or is Ready only without
 * its probe, an image that merely sleeps, a Service that leads nowhere, one sick replica among healthy ones.
 */
export default defineOracle({
  name: "ready",
  description: "the workload is whole: replicas, readiness, images, probes, Services",
  cost: 0,
  baseline: async ({ state }) => ({ replicas: state.spec.replicas }),
  measure: async ({ state, context }) => judgeReady(state, context.baseline["replicas"]),
  async symptom({ state, context }) {
    const verdict = judgeReady(state, context.baseline["replicas"]);
    const signs = verdict.passed ? [] : [verdict.reason];
    return symptomOf("ready", signs, "the workload is whole", verdict.measurements);
  },
});

export function judgeReady(state: TargetState, replicasBefore: number | undefined): OracleVerdict {
  const { workload, target, pods, at } = state;
  const measurements = [
    {
      name: `Ready pods of ${target}`,
      value: pods.filter(isPodReady).length,
      unit: "pods",
      threshold: replicasBefore ?? null,
      at,
    },
  ];
  const problems = workload
    ? [
        ...rolloutProblems(target, workload, replicasBefore),
        ...countProblems(state, workload),
        ...pods.flatMap((pod) => podProblems(pod, state)),
        ...endpointProblems(state),
      ]
    : [`${state.spec.kind} ${target} does not exist`];
  return judged("ready", problems, `${pods.length} of ${pods.length} pods Ready`, measurements);
}

/** A pod that the controller no longer counts is one too many all the same. */
function countProblems({ target, pods }: TargetState, { spec }: Workload): string[] {
  const wanted = spec?.replicas ?? 1;
  const none = wanted < 1 ? [`${target} has no replicas`] : [];
  return pods.length === wanted ? none : [...none, `${target} has ${pods.length} pods instead of ${wanted}`];
}

function podProblems(pod: Pod, state: TargetState): string[] {
  const name = pod.metadata.name;
  if (pod.metadata.deletionTimestamp !== undefined) return [`pod ${name} is terminating`];
  const problems = [...imageProblems(pod, state), ...probeProblems(pod, state)];
  if (!isPodReady(pod)) {
    const states = (pod.status?.containerStatuses ?? []).map(
      (one) => `${one.name} ${one.state?.waiting?.reason ?? (one.ready ? "ready" : "not ready")}`,
    );
    problems.push(`pod ${name} is not Ready (${states.join(", ") || pod.status?.phase || "no status"})`);
  }
  return problems;
}

/** The pod must run what the template says, and the template what the environment says: a pause image serves no requests. */
function imageProblems(pod: Pod, { target, spec, workload }: TargetState): string[] {
  const inTemplate = workload?.spec?.template?.spec?.containers ?? [];
  return spec.containers.flatMap(({ name, image }) => {
    const running = pod.spec?.containers.find((one) => one.name === name)?.image;
    const wanted = inTemplate.find((one) => one.name === name)?.image;
    const problems: string[] = [];
    if (!isSameImage(running, image))
      problems.push(
        `container ${name} of pod ${pod.metadata.name} has the image ${running ?? "none"} instead of ${image}`,
      );
    if (!isSameImage(wanted, image))
      problems.push(
        `the template of ${target} has ${wanted ?? "no image"} for container ${name} instead of ${image}`,
      );
    return problems;
  });
}

function probeProblems(pod: Pod, { spec }: TargetState): string[] {
  return spec.containers.flatMap(({ name, readinessProbe }) => {
    const running = pod.spec?.containers.find((one) => one.name === name);
    const problem = readinessProbe && probeProblem(readinessProbe, running?.readinessProbe);
    return problem ? [`container ${name} of pod ${pod.metadata.name} ${problem}`] : [];
  });
}

/** Every pod that a Service is meant for must be among its endpoints; some are for one replica only, e.g. the leader. */
function endpointProblems({ services, pods }: TargetState): string[] {
  return services.flatMap(({ name, selector, endpoints }) => {
    const addresses = new Set(
      (endpoints?.subsets ?? []).flatMap((one) => one.addresses ?? []).map(({ ip }) => ip),
    );
    const meant = pods.filter(({ metadata }) =>
      Object.entries(selector).every(([label, value]) => metadata.labels?.[label] === value),
    );
    const missing = meant.filter(({ status }) => !addresses.has(status?.podIP ?? ""));
    if (meant.length > 0 && missing.length === 0) return [];
    return [
      `service ${name} does not lead to ${missing.map((pod) => pod.metadata.name).join(", ") || "any pod"}`,
    ];
  });
}
