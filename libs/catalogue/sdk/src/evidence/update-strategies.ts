import { shellCall } from "./common-calls.ts";

const columns = '{range .items[*]}{.metadata.name} {.spec.replicas} {.spec.strategy}{"\\n"}{end}';
/** A line for each Deployment of which an update may end many pods at once: its name, replicas, and strategy as JSON. */
export const riskyStrategies = shellCall(
  `kubectl get deployments -o jsonpath='${columns}' | grep -E '"maxUnavailable":("100%"|[0-9])'`,
);

/** The strategy of a Deployment in the answer to `riskyStrategies`; undefined: its updates leave pods in place. */
export function riskyStrategyOf(answer: string, name: string): string | undefined {
  const line = answer.split("\n").find((one) => one.startsWith(`${name} `));
  const [, replicas = "", strategy = ""] = line?.split(" ") ?? [];
  const most = /"maxUnavailable":("100%"|\d+)/.exec(strategy)?.[1];
  // One pod at a time is usual, also where there is one.
  const endsAll = most === '"100%"' || Number(most) >= Math.max(2, Number(replicas));
  return endsAll ? strategy : undefined;
}
