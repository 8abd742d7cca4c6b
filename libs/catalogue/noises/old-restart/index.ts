import {
  type Cluster,
  defineNoise,
  deploymentsWithoutData,
  type Environment,
  kinds,
  type NoiseContext,
  otherImageName,
  type Pod,
  selectorText,
  z,
} from "@microremed/catalogue";

const parameters = z.object({});

/** Cluster time, ms, until a container runs again. */
const restartMs = 120_000;

export default defineNoise({
  name: "old-restart",
  title: "Restarts long ago",
  description:
    "A container of one pod was restarted twice some time ago, and has run since. If the pod has a sidecar, it is the sidecar.",
  parameters,
  logs: [],
  targets: (environment) =>
    deploymentsWithoutData(environment).filter((name) => containerOf(environment, name) !== undefined),
  decoys: ({ environment, target }) => [
    { kind: environment.workloads[target]?.kind ?? "Deployment", name: target },
  ],
  /** The kubelet restarts a container whose image is called otherwise, even if it is the same one. */
  async place(context) {
    const container = containerOf(context.environment, context.target);
    const [pod] = await podsOf(context);
    if (!pod || !container) return;
    const done = restartsOf(pod, container.name);
    if (done === 0 && imageIn(pod, container.name) === container.image)
      await restartAs(context, pod, container.name, otherImageName(container.image) ?? container.image, 1);
    if (done < 2) await restartAs(context, pod, container.name, container.image, 2);
  },
  async isSettled(context) {
    const container = containerOf(context.environment, context.target);
    const [pod] = await podsOf(context);
    return container !== undefined && pod !== undefined && runsAgain(pod, container.name, 2);
  },
});

/** The last container of a workload, if its image has a second name. */
function containerOf({ workloads }: Environment, name: string) {
  const container = workloads[name]?.containers.at(-1);
  return container && otherImageName(container.image) !== undefined ? container : undefined;
}

async function podsOf({ cluster, namespace, environment, target }: NoiseContext): Promise<readonly Pod[]> {
  const workload = environment.workloads[target];
  if (!workload) return [];
  const labelSelector = selectorText(workload.selector);
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

async function restartAs(
  { cluster, namespace, signal }: NoiseContext,
  { metadata: { name } }: Pod,
  container: string,
  image: string,
  restarts: number,
): Promise<void> {
  const body = { spec: { containers: [{ name: container, image }] } };
  await cluster.patch(kinds.pod, namespace, name, { type: "strategic", body });
  await untilRestarted(cluster, { namespace, name, container, restarts, ...(signal && { signal }) });
}

async function untilRestarted(
  cluster: Cluster,
  of: { namespace: string; name: string; container: string; restarts: number; signal?: AbortSignal },
): Promise<void> {
  const { namespace, name, container, restarts, signal } = of;
  await cluster.waitUntil(
    {
      what: `container ${container} of ${namespace}/${name} to run again`,
      timeoutMs: restartMs,
      namespace,
      kinds: [kinds.pod],
      ...(signal && { signal }),
    },
    (view) =>
      view.list(kinds.pod).some((pod) => pod.metadata.name === name && runsAgain(pod, container, restarts))
        ? true
        : undefined,
  );
}

const statusOf = ({ status }: Pod, container: string) =>
  status?.containerStatuses?.find(({ name }) => name === container);
const restartsOf = (pod: Pod, container: string): number => statusOf(pod, container)?.restartCount ?? 0;
const imageIn = ({ spec }: Pod, container: string): string | undefined =>
  spec?.containers.find(({ name }) => name === container)?.image;

function runsAgain(pod: Pod, container: string, restarts: number): boolean {
  const status = statusOf(pod, container);
  return (
    (status?.restartCount ?? 0) >= restarts && status?.state?.running !== undefined && status.ready === true
  );
}
