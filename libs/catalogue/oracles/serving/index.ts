import {
  defineOracle,
  judged,
  type OracleVerdict,
  type Round,
  type TargetState,
} from "@microremed/catalogue";

const connectSeconds = 3;
const timeoutMs = 60_000;

/** Every declared TCP port of every pod accepts a connection from the prober. */
export default defineOracle({
  name: "serving",
  description: "every declared port of every pod accepts connections",
  cost: 50,
  async measure(round) {
    const { state } = round;
    const ports = declaredPorts(state);
    const open = await openPorts(round, ports);
    return judgeServing(state, ports, open);
  },
});

/** Those of TCP alone: an open port of UDP looks like a closed one. */
export function declaredPorts({ spec }: Pick<TargetState, "spec">): number[] {
  const ports = spec.containers.flatMap((container) => container.ports);
  return [
    ...new Set(
      ports.flatMap(({ containerPort, protocol }) => (protocol === undefined ? [containerPort] : [])),
    ),
  ];
}

/** Pod name -> ports that accepted a connection; one exec per pod. */
async function openPorts(
  { state: { pods }, runOutside }: Round,
  ports: readonly number[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (ports.length === 0) return new Map();
  const readings = pods.map(async ({ metadata, status }): Promise<[string, readonly number[]]> => {
    const ip = status?.podIP;
    if (!ip) return [metadata.name, []];
    const tries = ports.map(
      (port) => `nc -z -w ${connectSeconds} ${ip} ${port} </dev/null && echo open ${port}`,
    );
    const { stdout } = await runOutside(`${tries.join("; ")}; true`, timeoutMs);
    return [metadata.name, [...stdout.matchAll(/open (\d+)/g)].map(([, port]) => Number(port))];
  });
  return new Map(await Promise.all(readings));
}

export function judgeServing(
  { pods, target, at }: TargetState,
  ports: readonly number[],
  open: ReadonlyMap<string, readonly number[]>,
): OracleVerdict {
  const measurements = pods.map(({ metadata: { name } }) => ({
    name: `open ports of ${name}`,
    value: open.get(name)?.length ?? 0,
    unit: "ports",
    threshold: ports.length,
    at,
  }));
  const problems = pods.flatMap(({ metadata: { name } }) =>
    ports
      .filter((port) => !open.get(name)?.includes(port))
      .map((port) => `pod ${name} accepts no connection on port ${port}`),
  );
  if (pods.length === 0) problems.push(`${target} has no pods`);
  const passed = ports.length === 0 ? `${target} declares no ports` : "all ports accept connections";
  return judged("serving", problems, passed, measurements);
}
