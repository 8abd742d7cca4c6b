import { shellCall } from "./common-calls.ts";

const columns = '{range .items[*]}{.metadata.name} {.spec.strategy}{"\\n"}{end}';
/** A line for each Deployment of which an update may end all pods at once: its name, and its strategy as JSON. */
export const riskyStrategies = shellCall(
  `kubectl get deployments -o jsonpath='${columns}' | grep '"maxUnavailable":"100%"'`,
);

/** The strategy of a Deployment in the answer to `riskyStrategies`; undefined: its updates leave pods in place. */
export const riskyStrategyOf = (answer: string, name: string): string | undefined =>
  answer
    .split("\n")
    .map((line) => line.split(" "))
    .find(([deployment]) => deployment === name)?.[1];
