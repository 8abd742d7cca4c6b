import { shellCall } from "./common-calls.ts";
import type { EvidenceCall } from "./evidence.ts";

const withArguments = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.spec.containers[*].args}{"\\n"}{end}'`;

/** A line for each pod with a text in its arguments: its name, and what redis-cli prints there. `command`: its arguments, and filters. */
export const askRedis = (text: string, command: string): EvidenceCall =>
  shellCall(
    `for p in $(${withArguments} | grep ${text} | cut -d" " -f1); do echo "$p $(kubectl exec "$p" -- redis-cli ${command})"; done`,
  );
