import {
  affectedObjects,
  type Container,
  defineFault,
  dropLimits,
  type FaultContext,
  type Kind,
  kinds,
  offeredWorkloads,
  revertConfiguration,
  selectorText,
  targetOf,
  type Workload,
  z,
} from "@microremed/catalogue";

import { loweredLimits } from "./evidence.ts";
import { generousResources, raiseALittle, setResources, undo } from "./remedies.ts";

const parameters = z.object({
  cpuRequest: z.string().default("1m"),
  memoryRequest: z.string().default("100Mi"),
  cpuLimit: z.string().default("2m").describe("far too little to serve anything"),
  memoryLimit: z.string().default("200Mi"),
});
const labels = {
  mechanism: "resources-too-small",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;
type Parameters = z.output<typeof parameters>;
type Context = FaultContext & { readonly parameters: Parameters };

const faultyResources = (of: Parameters) => ({
  requests: { cpu: of.cpuRequest, memory: of.memoryRequest },
  limits: { cpu: of.cpuLimit, memory: of.memoryLimit },
});

function kindOf({ environment, target }: FaultContext): Kind<Workload> {
  return targetOf(environment, target)?.workload.kind === "StatefulSet"
    ? kinds.statefulSet
    : kinds.deployment;
}

/** Whether a container has the misconfiguration's limits. */
function hasFaultyLimits(container: Container | undefined, { cpuLimit, memoryLimit }: Parameters): boolean {
  const limits = container?.resources?.limits;
  return limits?.["cpu"] === cpuLimit && limits["memory"] === memoryLimit;
}

async function readTemplate(context: FaultContext) {
  const { cluster, namespace, environment, target } = context;
  const place = targetOf(environment, target);
  const workload = await cluster.get(kindOf(context), namespace, place?.name ?? target);
  const containers = workload?.spec?.template?.spec?.containers ?? [];
  const index = containers.findIndex(({ name }) => name === place?.container.name);
  return { place, index, container: containers[index] };
}

async function inject(context: Context): Promise<void> {
  const place = targetOf(context.environment, context.target);
  const containers = [{ name: place?.container.name, resources: faultyResources(context.parameters) }];
  await context.cluster.patch(kindOf(context), context.namespace, place?.name ?? context.target, {
    type: "strategic",
    body: { spec: { template: { spec: { containers } } } },
  });
}

async function status(context: Context) {
  const { cluster, namespace, target, parameters } = context;
  const { place, container } = await readTemplate(context);
  const inTemplate = hasFaultyLimits(container, parameters);
  const labelSelector = place ? selectorText(place.workload.selector) : "";
  const pods = place ? await cluster.list(kinds.pod, { namespace, labelSelector }) : [];
  const hit = pods.filter((pod) =>
    hasFaultyLimits(
      pod.spec?.containers.find(({ name }) => name === place?.container.name),
      parameters,
    ),
  );
  return {
    present: inTemplate,
    injected: inTemplate && hit.length > 0,
    pods: hit.map(({ metadata }) => metadata.name),
    expiresAt: null,
    note: `limits of ${target}/${place?.container.name} in the template: ${JSON.stringify(container?.resources?.limits ?? {})}; pods with the faulty limits: ${hit.length} of ${pods.length}`,
  };
}

async function remove(context: Context): Promise<void> {
  const { place, index, container } = await readTemplate(context);
  if (!place || !hasFaultyLimits(container, context.parameters)) return;
  const value = place.container.resources;
  await context.cluster.patch(kindOf(context), context.namespace, place.name, {
    type: "json",
    body: [{ op: "replace", path: `/spec/template/spec/containers/${index}/resources`, value }],
  });
}

/** A container of the workload gets resources that no service can live on. */
export default defineFault({
  name: "pod-config-error",
  title: "Misconfigured resources",
  description: "pod-config-error: the configuration of the service's pods is wrong",
  parameters,
  strengths: [
    { name: "10m", parameters: { cpuLimit: "10m" } },
    { name: "8Mi", parameters: { memoryRequest: "8Mi", memoryLimit: "8Mi" } },
  ],
  drawn: {
    cpuLimit: (rng) => `${2 + rng.int(7)}m`,
    memoryRequest: (rng) => `${60 + rng.int(80)}Mi`,
    memoryLimit: (rng) => `${150 + rng.int(140)}Mi`,
  },
  withoutLookalike:
    "judges hold each workload to the limits that it had, so that a lower one counts as harm, even where it suffices",
  symptom: "config",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  rightActions: [],
  resourcesMayDiffer: true,
  published: { check: "resources", timeoutSeconds: 10, readyFirst: true },
  ...offeredWorkloads(),
  inject,
  status,
  remove,
  truth({ environment, target, parameters: of }) {
    const place = targetOf(environment, target);
    const { cpu, memory } = place?.container.resources.limits ?? {};
    return {
      objects: [
        {
          kind: place?.workload.kind ?? "Deployment",
          name: place?.name ?? target,
          field: `spec.template.spec.containers[name=${place?.container.name}].resources.limits`,
          wrong: `cpu ${of.cpuLimit}, memory ${of.memoryLimit}`,
          right: `cpu ${cpu ?? "none"}, memory ${memory ?? "none"}`,
        },
      ],
      affected: affectedObjects({ environment, target }),
      ...labels,
      explanation: `with these limits the program of ${target} never gets ready, or is killed`,
    };
  },
  repairs: [undo, setResources, generousResources],
  shortcuts: [dropLimits, raiseALittle],
  // A restart does not cure it: these would not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
  evidence: loweredLimits(labels),
});
