import {
  createOnce,
  defineNoise,
  kinds,
  type NoiseContext,
  type Pod,
  selectorText,
  strangeAddress,
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

type Context = NoiseContext & { readonly parameters: z.infer<typeof parameters> };

export default defineNoise({
  name: "warning-event",
  title: "A warning event",
  description:
    "The kubelet warns of something that many clusters have, such as more name servers on a node than a pod may have. Everything works as before.",
  parameters,
  logs: [],
  drawn: {
    message: (rng, where) =>
      `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.96.0.10 ${strangeAddress(rng, where)} ${strangeAddress(rng, where)}`,
  },
  targets: ({ workloads }) => Object.keys(workloads).filter((name) => (workloads[name]?.replicas ?? 0) > 0),
  decoys: ({ environment, target }) => [
    { kind: environment.workloads[target]?.kind ?? "Deployment", name: target },
  ],
  async place(context) {
    const { reason, message } = context.parameters;
    const [pod] = await podsOf(context);
    if (!pod || (await eventsOf(context)).length > 0) return;
    const { name, namespace, uid, resourceVersion } = pod.metadata;
    const now = await context.cluster.clock.now();
    const time = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
    await createOnce(context, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: nameOf(name, now, uid) },
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

/** As the kubelet names its events: the pod's name, and the time, ns, in hexadecimal digits. `at`: ms. */
function nameOf(pod: string, at: number, uid = ""): string {
  // Cluster time is in whole ms; what is below that comes of the pod, as it would of the moment.
  const below = Number.parseInt(uid.replace(/\D/g, "").slice(0, 9) || "1", 10) % 1_000_000;
  return `${pod}.${(BigInt(Math.floor(at)) * 1_000_000n + BigInt(below)).toString(16)}`;
}

/** Those that it has made, on whichever pod of the target. */
async function eventsOf({ cluster, namespace, parameters: { reason, message } }: Context) {
  const events = await cluster.list(kinds.event, { namespace });
  return events.filter((event) => event.reason === reason && event.message === message);
}

async function podsOf({ cluster, namespace, environment, target }: NoiseContext): Promise<readonly Pod[]> {
  const workload = environment.workloads[target];
  if (!workload) return [];
  const labelSelector = selectorText(workload.selector);
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
