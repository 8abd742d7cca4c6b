import { callsPerRequest, type Environment, type Place, requestsPerSecond } from "@microremed/catalogue";

/** A call whose tries variables of its caller set, to a program whose limit a variable sets. */
export interface Edge {
  /** Workload called. */
  readonly to: string;
  /** Variables of the caller. */
  readonly policy: Readonly<Record<"attempts" | "timeoutMs" | "backoffMs", string>>;
  /** Variable of the program called, and the requests per second that it takes. */
  readonly admits: string;
  readonly most: number;
}

/** What the program called takes, as a multiple of what usually comes: SREGym's 20 a second for 8. */
const room = 2.2;
/** Tries that a policy asks for at least, so that they are more than that room. */
export const fewestAttempts = 4;

/** The first such call of a workload whose further tries would be too much for the program called; undefined: it has none. */
export function edgeOf({ name, workload }: Place, environment: Environment): Edge | undefined {
  const own = requestsPerSecond(environment, name);
  for (const call of workload.calls) {
    const { to, policy, required } = call;
    const admits = environment.workloads[to]?.containers[0]?.behaviour.admits;
    if (!policy || !required || admits === undefined) continue;
    const usual = requestsPerSecond(environment, to);
    const retried = (fewestAttempts - 1) * own * callsPerRequest(environment, name, call);
    const most = room * usual;
    if (usual + retried > 1.1 * most) return { to, policy, admits, most: Math.ceil(most) };
  }
  return undefined;
}
