import { type AgentOptions, accountsNamespace, agentObjects } from "./agent-objects.ts";
import type { Cluster } from "./cluster.types.ts";
import { customResourcesAnnotation, readCustomResources } from "./custom-resources.ts";
import { kinds } from "./kinds.ts";
import type { Transport } from "./transport.types.ts";

/** Cluster time. An embedded cluster may live an hour while a playbook runs a minute, so the token lives hours. */
const tokenSeconds = 8 * 3600;
const renewWithLeftMs = (tokenSeconds * 1000) / 2;

interface Minted {
  readonly kubeconfig: string;
  /** Of the namespace: another one of its name has none of the roles. */
  readonly uid: string | undefined;
  /** Cluster time, ms. */
  readonly expiresAt: number;
}

interface AgentAccess {
  readonly kubeconfig: Cluster["agentKubeconfig"];
  /** The cluster knows none of the tokens any more. */
  forget(): void;
}

/** Makes credentials for playbooks and probes; one set per namespace and kind of access, renewed in time. */
export function createAgentAccess(
  cluster: Pick<Cluster, "name" | "clock" | "apply" | "get" | "ownNameServer">,
  transport: Transport,
): AgentAccess {
  const cache = new Map<string, Promise<Minted>>();

  const mint = async (namespace: string, uid: string | undefined, options: AgentOptions): Promise<Minted> => {
    const { account, objects } = agentObjects(namespace, options);
    for (const object of objects) await cluster.apply(object);
    return { ...(await mintKubeconfig(cluster.name, transport, namespace, account)), uid };
  };

  const kubeconfig: AgentAccess["kubeconfig"] = async (namespace, options) => {
    const { readOnly, concealed = false } = options;
    const key = `${namespace}/${readOnly}/${concealed}`;
    const known = await cache.get(key)?.catch(() => undefined);
    const { uid, annotations } = (await cluster.get(kinds.namespace, undefined, namespace))?.metadata ?? {};
    const customResources = readCustomResources(annotations?.[customResourcesAnnotation]);
    const isCurrent = known !== undefined && known.uid === uid;
    if (isCurrent && known.expiresAt - (await cluster.clock.now()) > renewWithLeftMs) return known.kubeconfig;
    const minting = mint(namespace, uid, {
      ...options,
      customResources,
      ownNameServer: cluster.ownNameServer,
    });
    cache.set(key, minting);
    return (await minting).kubeconfig;
  };
  return { kubeconfig, forget: () => cache.clear() };
}

/** A kubeconfig with a fresh token of an agent's or probe's account. */
export async function mintKubeconfig(
  cluster: string,
  transport: Transport,
  namespace: string,
  account: string,
): Promise<{ kubeconfig: string; expiresAt: number }> {
  const path = `/api/v1/namespaces/${accountsNamespace}/serviceaccounts/${account}/token`;
  const answer = await transport.call<{ status: { token: string; expirationTimestamp: string } }>(
    "POST",
    path,
    {
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: tokenSeconds },
      },
      repeatable: true,
    },
  );
  const { token, expirationTimestamp } = answer.status;
  return {
    kubeconfig: await transport.kubeconfigFor({ cluster, namespace, user: account, token }),
    expiresAt: Date.parse(expirationTimestamp),
  };
}
