import { silentLogger } from "@microremed/core";
import { createApi, createLocalApi, type LocalApi } from "@microremed/sim-apiserver";
import type { NetworkPolicies, ServiceDirectory } from "@microremed/sim-network";
import type { FindApi } from "@microremed/sim-shell";
import { apiDepsOf } from "./api-deps-of.ts";
import type { World } from "./world.ts";

interface PodApiDeps {
  readonly directory: ServiceDirectory;
  readonly policies: NetworkPolicies;
  /** The cluster, once it is made. */
  readonly world: () => World;
}

/**
 * The API server for programs in pods: at its Service `kubernetes` and at the address behind it. What their tokens name decides
 * what they may do.
 */
export function createPodApi({ directory, policies, world }: PodApiDeps): FindApi {
  let api: LocalApi | undefined;
  return (from, address, port) => {
    const view = directory.byName("default", "kubernetes");
    const ports = view?.ports ?? [];
    const endpoint =
      view?.clusterIp === address
        ? ports.find((one) => one.port === port)?.endpoints[0]
        : ports.flatMap(({ endpoints }) => endpoints).find((one) => one.ip === address && one.port === port);
    if (!endpoint) return undefined;
    return {
      answers: policies.admits(from, { ip: endpoint.ip }, { protocol: "TCP", port: endpoint.port }),
      async ask(request) {
        api ??= createLocalApi(createApi(apiDepsOf(world(), silentLogger)));
        const answer = await api.handle(request);
        request.signal.throwIfAborted();
        return answer;
      },
    };
  };
}
