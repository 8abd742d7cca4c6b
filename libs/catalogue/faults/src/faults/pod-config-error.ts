import { type Container, type Kind, kinds, type Resources, type Workload } from "@microremed/cluster";
import { defineFault, type FaultContext, notDrawable, targetOf } from "../fault.ts";

/** What the template asks for afterwards: far too little to serve anything. */
const faultyResources = {
  requests: { cpu: "1m", memory: "100Mi" },
  limits: { cpu: "2m", memory: "200Mi" },
} as const satisfies Resources;

function kindOf({ environment, target }: FaultContext): Kind<Workload> {
  const found = targetOf(environment, target);
  return found?.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
}

/** Whether a container has the misconfiguration's limits. */
function hasFaultyLimits(container: Container | undefined): boolean {
  const limits = container?.resources?.limits;
  return limits?.["cpu"] === faultyResources.limits.cpu && limits["memory"] === faultyResources.limits.memory;
}

async function readFirstContainer(context: FaultContext) {
  const { cluster, namespace, target, environment } = context;
  const name = targetOf(environment, target)?.container.name;
  const workload = await cluster.get(kindOf(context), namespace, target);
  const containers = workload?.spec?.template?.spec?.containers ?? [];
  const index = containers.findIndex((container) => container.name === name);
  return { name, index, container: containers[index] };
}

/** The workload's first container gets resources that no service can live on. */
export const podConfigError = defineFault({
  name: "pod-config-error",
  title: "Misconfigured resources",
  description: "pod-config-error: the configuration of the service's pods is wrong",
  symptom: "config",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  rightActions: [],
  ineligible: notDrawable,
  async inject(context) {
    const name = targetOf(context.environment, context.target)?.container.name;
    const containers = [{ name, resources: faultyResources }];
    await context.cluster.patch(kindOf(context), context.namespace, context.target, {
      type: "strategic",
      body: { spec: { template: { spec: { containers } } } },
    });
  },
  async status(context) {
    const { cluster, namespace, target } = context;
    const { name, container } = await readFirstContainer(context);
    const inTemplate = hasFaultyLimits(container);
    const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` });
    const hit = pods.filter((pod) => hasFaultyLimits(pod.spec?.containers.find((one) => one.name === name)));
    return {
      present: inTemplate,
      injected: inTemplate && hit.length > 0,
      pods: hit.map(({ metadata }) => metadata.name),
      expiresAt: null,
      note: `limits of ${target}/${name} in the template: ${JSON.stringify(container?.resources?.limits ?? {})}; pods with the faulty limits: ${hit.length} of ${pods.length}`,
    };
  },
  async remove(context) {
    const { index, container } = await readFirstContainer(context);
    if (!hasFaultyLimits(container)) return;
    const value = targetOf(context.environment, context.target)?.container.resources;
    await context.cluster.patch(kindOf(context), context.namespace, context.target, {
      type: "json",
      body: [{ op: "replace", path: `/spec/template/spec/containers/${index}/resources`, value }],
    });
  },
});
