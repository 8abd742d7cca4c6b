import type { FaultContext } from "./fault.ts";
import { targetOf } from "./target.ts";
import { podsOf } from "./workload-pods.ts";

/**
 * What a shell script prints in the target's container, in the first of its pods that is not being ended; undefined: there is none, or
 * the script failed or took longer than `timeoutMs`.
 */
export async function runInTarget(
  context: FaultContext,
  script: string,
  timeoutMs: number,
): Promise<string | undefined> {
  const { cluster, namespace, environment, target } = context;
  const container = targetOf(environment, target)?.container.name ?? "";
  const [pod] = (await podsOf(context)).filter(({ metadata }) => !metadata.deletionTimestamp);
  if (!pod) return undefined;
  const where = { namespace, pod: pod.metadata.name, container, timeoutMs };
  const answer = await cluster.exec({ ...where, command: ["sh", "-c", script] }).catch(() => undefined);
  return answer?.exitCode === 0 ? answer.stdout : undefined;
}
