import {
  createOnce,
  defineNoise,
  kinds,
  type NoiseContext,
  type Pod,
  selectorText,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  reason: z.string().min(1).max(50).default("DNSConfigForming").describe("of the event"),
  message: z
    .string()
    .min(1)
    .max(500)
    .default(
      "Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.96.0.10 10.0.0.2 10.0.0.3",
    ),
});

export default defineNoise({
  name: "warning-event",
  title: "A warning event",
  description:
    "The kubelet warns that a node has more name servers than a pod may have. Many clusters have this warning. Names are resolved as before.",
  parameters,
  targets: ({ workloads }) => Object.keys(workloads).filter((name) => (workloads[name]?.replicas ?? 0) > 0),
  decoys: ({ environment, target }) => [
    { kind: environment.workloads[target]?.kind ?? "Deployment", name: target },
  ],
  async place(context) {
    const { reason, message } = context.parameters;
    const [pod] = await podsOf(context);
    if (!pod) return;
    const { name, namespace, uid, resourceVersion } = pod.metadata;
    const time = new Date(await context.cluster.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
    await createOnce(context, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: nameOf(name) },
      involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid, resourceVersion },
      type: "Warning",
      reason,
      message,
      source: { component: "kubelet", host: pod.spec?.nodeName },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    });
  },
  async isSettled(context) {
    return (await eventsOf(context)).length > 0;
  },
  async remove(context) {
    for (const { metadata } of await eventsOf(context))
      await context.cluster.delete(kinds.event, context.namespace, metadata.name);
  },
});

/** As the kubelet names its events: the pod's name, and a number in hexadecimal digits, here always the same. */
const suffix = ".17a3c51e6d20f3b9";
const nameOf = (pod: string): string => `${pod}${suffix}`;

async function eventsOf({ cluster, namespace }: NoiseContext) {
  const events = await cluster.list(kinds.event, { namespace });
  return events.filter(({ metadata }) => metadata.name.endsWith(suffix));
}

async function podsOf({ cluster, namespace, environment, target }: NoiseContext): Promise<readonly Pod[]> {
  const workload = environment.workloads[target];
  if (!workload) return [];
  const labelSelector = selectorText(workload.selector);
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
