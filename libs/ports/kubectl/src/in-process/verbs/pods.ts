import { kinds, type Pod, type Workload } from "@microremed/cluster";
import { type Call, durationMs, flagOf, isSet } from "../call.ts";
import { KubectlFailure, notSimulated } from "../failures.ts";
import { findObjects, notFound, readSelection } from "../select-objects.ts";

/** The pod of `pod-name`, `pod/name` or `deployment/name`. */
async function podOf(call: Call, operand: string): Promise<Pod> {
  const { cluster, namespace = "" } = call;
  if (!operand.includes("/")) {
    const pod = await cluster.get(kinds.pod, namespace, operand);
    if (!pod) throw notFound(kinds.pod, operand);
    return pod;
  }
  const [object] = await findObjects(call, readSelection([operand], call.custom));
  if (object?.kind === "Pod") return object as Pod;
  const labels = Object.entries((object as Workload | undefined)?.spec?.selector?.matchLabels ?? {});
  const labelSelector = labels.map(([key, value]) => `${key}=${value}`).join(",");
  const pods = labelSelector === "" ? [] : await cluster.list(kinds.pod, { namespace, labelSelector });
  const pod = pods.find(({ status }) => status?.phase === "Running") ?? pods[0];
  if (!pod) throw new KubectlFailure(`error: no pods found for ${operand}`);
  return pod;
}

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

export async function logs(call: Call): Promise<string> {
  const [operand, container] = call.operands;
  if (operand === undefined) throw notSimulated("logs without the name of an object");
  const { metadata, spec } = await podOf(call, operand);
  const since = flagOf(call, "since");
  const tail = number(flagOf(call, "tail"));
  return call.cluster.logs({
    namespace: metadata.namespace ?? "",
    pod: metadata.name,
    container: flagOf(call, "container") ?? container ?? spec?.containers[0]?.name,
    previous: isSet(call, "previous") || undefined,
    timestamps: isSet(call, "timestamps") || undefined,
    tailLines: tail === undefined || tail < 0 ? undefined : tail,
    sinceSeconds: since === undefined ? undefined : Math.ceil(durationMs(since) / 1000),
  });
}

export interface ExecSaid {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export async function exec(call: Call): Promise<ExecSaid> {
  const [operand = ""] = call.operands;
  const command = call.command.length > 0 ? call.command : call.operands.slice(1);
  if (command.length === 0)
    throw new KubectlFailure("error: you must specify at least one command for the container");
  const { metadata, spec } = await podOf(call, operand);
  const container = flagOf(call, "container") ?? spec?.containers[0]?.name ?? "";
  const where = { namespace: metadata.namespace ?? "", pod: metadata.name, container };
  const said = await call.cluster.exec({ ...where, command, timeoutMs: await call.timeLeft() });
  const code = `command terminated with exit code ${said.exitCode}\n`;
  return said.exitCode === 0 ? said : { ...said, stderr: `${said.stderr}${code}` };
}
