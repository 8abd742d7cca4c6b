import type { Attempted, ContainerRuntime, Machine, Network, PodSandbox } from "@microremed/sim-machine";
import type { Store } from "@microremed/sim-store";

const refused: Attempted = { ok: false, elapsedMs: 1, error: "connection refused" };
const answered: Attempted = { ok: true, elapsedMs: 1, error: "", status: 200 };

const isUp = (container: ContainerRuntime): boolean => container.startupLeft <= 0;

/** A network without latency for tests of the control plane: what has started and listens answers. */
export function createFakeNetwork(machine: Machine, store: Store): Network {
  function targets(host: string): readonly PodSandbox[] {
    const direct = machine.byIp(host);
    if (direct) return [direct];
    const endpoints = store
      .list({ group: "", resource: "endpoints" })
      .find((each) => each.metadata.name === host.split(".")[0]);
    const subsets = (endpoints?.["subsets"] ?? []) as readonly { addresses?: readonly { ip: string }[] }[];
    return subsets.flatMap((subset) => (subset.addresses ?? []).flatMap(({ ip }) => machine.byIp(ip) ?? []));
  }
  function connect(host: string, port: number): Attempted {
    const open = targets(host).some((sandbox) =>
      [...sandbox.containers.values()].some(
        (container) => isUp(container) && (container.behaviour?.listens.includes(port) || port === 80),
      ),
    );
    return open ? answered : refused;
  }
  return {
    tcpConnect: (_from, host, port) => connect(host, port),
    httpGet: (_from, host, port) => connect(host, port),
    ping: () => answered,
    resolve: (_from, host) => targets(host).map((sandbox) => sandbox.ip),
    dialAtStart: () => undefined,
    callsOfJob: () => [],
    callOfJob: () => ({ ok: true, elapsedMs: 1, error: "" }),
    execProbe: (container) => (isUp(container) ? answered : { ...refused, error: "exit status 1" }),
  };
}
