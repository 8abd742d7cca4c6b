import type { Cluster } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import { checkInContainer } from "../check-probe.ts";

/**
 * A cluster for who may do nothing but read: every call that changes something is refused as the API server refuses what is
 * forbidden, and a command in a container that is none of the reading ones. `onRefused` gets the reason.
 */
export function readingCluster(cluster: Cluster, onRefused: (why: string) => void): Cluster {
  const refuse = (why: string): never => {
    onRefused(why);
    throw terminal("cluster-refused", why, { status: 403, reason: "Forbidden", said: why });
  };
  const refused = (what: string) => async () => refuse(`Probes only read: to ${what} is not allowed.`);
  return {
    ...cluster,
    apply: refused("apply an object"),
    create: refused("create an object"),
    replace: refused("replace an object"),
    patch: refused("change an object"),
    delete: refused("delete an object"),
    fetchText: refused("reach what runs in the cluster through the API server"),
    agentKubeconfig: refused("make credentials"),
    runAccess: refused("make credentials"),
    exec: async (options) => {
      const why = await checkInContainer(options.command);
      return why === undefined ? cluster.exec(options) : refuse(why);
    },
  };
}
