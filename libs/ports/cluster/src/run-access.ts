import { mintKubeconfig } from "./agent-access.ts";
import { accountsNamespace, agentObjects, arenaLabel, runSuffix } from "./agent-objects.ts";
import type { Cluster, RunAccess, RunAccessOptions } from "./cluster.types.ts";
import { isRefused } from "./cluster-errors.ts";
import { customResourcesOf } from "./custom-resources.ts";
import { fenceCluster } from "./fence-cluster.ts";
import { kinds } from "./kinds.ts";
import type { Transport } from "./transport.types.ts";

/** An API server believes a token that it has seen for 10 s without checking again; cluster time, ms. */
const believedMs = 11_000;

/**
 * Ends the access of every run that was given one of its own in the arena: its tokens are those of an account, and die
 * with it. Returns when no API server honours them any more; at once where there was none.
 */
export async function endRunAccess(
  cluster: Pick<Cluster, "list" | "delete" | "clock">,
  namespace: string,
): Promise<void> {
  const labelSelector = `${arenaLabel}=${namespace}`;
  const accounts = await cluster.list(kinds.serviceAccount, { namespace: accountsNamespace, labelSelector });
  const ofRuns = accounts.filter(({ metadata }) => metadata.name.endsWith(runSuffix));
  for (const { metadata } of ofRuns) await endAccount(cluster, metadata.name, metadata.uid);
  if (ofRuns.length > 0) await cluster.clock.sleep(believedMs);
}

/** See `Cluster.runAccess`. A process that is paused in the middle of it and goes on later is refused, or gets nothing. */
export async function openRunAccess(
  cluster: Cluster,
  transport: Transport,
  namespace: string,
  { concealed = false, assertHeld }: RunAccessOptions,
): Promise<RunAccess> {
  const fenced = fenceCluster(cluster, assertHeld);
  await endRunAccess(fenced, namespace);
  const customResources = await customResourcesOf(cluster, namespace);
  const options = {
    readOnly: false,
    concealed,
    customResources,
    forOneRun: true,
    ownNameServer: cluster.ownNameServer,
  };
  const { account, objects } = agentObjects(namespace, options);
  for (const object of objects) await fenced.apply(object);
  const made = await cluster.get(kinds.serviceAccount, accountsNamespace, account);
  await assertHeld();
  const { kubeconfig } = await mintKubeconfig(cluster.name, transport, namespace, account);
  return {
    kubeconfig,
    // Only its own: another run may have one by now. What is left of it ends with the next access, or the restore.
    [Symbol.asyncDispose]: () => endAccount(cluster, account, made?.metadata.uid).catch(() => undefined),
  };
}

async function endAccount(
  cluster: Pick<Cluster, "delete">,
  name: string,
  uid: string | undefined,
): Promise<void> {
  if (uid === undefined) return;
  try {
    await cluster.delete(kinds.serviceAccount, accountsNamespace, name, { only: { uid } });
  } catch (error) {
    // Another account of that name by now.
    if (!isRefused(error, 409)) throw error;
  }
}
