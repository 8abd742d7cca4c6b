import type { AgentContext } from "../agent.ts";
import type { ObjectRef } from "../objects/object-ref.ts";
import { shellPlaybook } from "../shell-playbook.ts";

const line = /^(Deployment|StatefulSet|DaemonSet) ([a-z0-9][a-z0-9.-]*)$/gm;
const fields = '{range .items[*]}{.kind} {.metadata.name}{"\\n"}{end}';

/** The namespace's workloads by name, through the tool `probe_system`; none where it was not run. */
export async function workloadsOf({ call }: Pick<AgentContext, "call">): Promise<ObjectRef[]> {
  const command = `kubectl get deployments,statefulsets,daemonsets -o jsonpath='${fields}'`;
  const { text } = await call("probe_system", { command });
  return [...text.matchAll(line)].map(([, kind = "", name = ""]) => ({ kind, name }));
}

/** A playbook that restarts a workload, as `run_playbook` takes it. */
export const restartPlaybook = ({ kind, name }: ObjectRef, { namespace }: AgentContext["report"]): string =>
  shellPlaybook(`Restart ${name}`, [`kubectl -n ${namespace} rollout restart ${kind.toLowerCase()}/${name}`]);
