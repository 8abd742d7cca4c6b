import {
  type Attempted,
  type ContainerRuntime,
  type PodSandbox,
  programsOfImage,
} from "@microremed/sim-machine";
import { refused, timedOut } from "./answers.ts";
import { type ContainerStates, isUp, newcomerSpeed } from "./container-state.ts";
import { workSeconds } from "./cpu.ts";
import { fileComplaint } from "./file-probe.ts";
import { probeRequirement } from "./probe-command.ts";
import type { Servers } from "./servers.ts";
import { listenerOn } from "./topology.ts";

/** CPU of a health probe's process, core-seconds. */
const probeWork = 0.005;
/** Starting a process in a container: fork, exec, page faults; wall time on an idle machine. */
const processStartMs = 10;

type ExecProbe = (
  container: ContainerRuntime,
  sandbox: PodSandbox,
  command: readonly string[],
  timeoutMs: number,
) => Attempted;

/** Runs probe commands in containers: their own CPU, and the server that they ask. */
export function createExecProbe(states: ContainerStates, servers: Servers): ExecProbe {
  function askLocally(
    sandbox: PodSandbox,
    container: ContainerRuntime,
    port: number | "own program",
  ): { readonly ok: boolean; readonly ms: number } {
    const listener = port === "own program" ? container : listenerOn(sandbox, port, "localhost");
    if (!listener || !isUp(listener)) return { ok: false, ms: 0 };
    return { ok: true, ms: servers.checkHealth(listener) };
  }

  return (
    container: ContainerRuntime,
    sandbox: PodSandbox,
    command: readonly string[],
    timeoutMs: number,
  ): Attempted => {
    const missing = missingProgram(container, command);
    if (missing) return { ok: false, elapsedMs: processStartMs, error: missing };
    const state = states.of(container);
    const { share, contended } = newcomerSpeed(container, state);
    state.pendingWork += probeWork;
    const ownMs = processStartMs + 1000 * workSeconds(probeWork, share, contended);
    const complaint = container.behaviour ? undefined : fileComplaint(sandbox, container, command);
    if (complaint !== undefined) return { ok: false, elapsedMs: ownMs, error: complaint };
    const needs = probeRequirement(command);
    const asked =
      needs === "own program" || needs === undefined ? container : listenerOn(sandbox, needs, "localhost");
    if (asked?.isUnwell && /grpc_health_probe$/.test(command[0] ?? ""))
      return { ok: false, elapsedMs: ownMs, error: 'service unhealthy (responded with "NOT_SERVING")' };
    const answer = needs === undefined ? { ok: true, ms: 0 } : askLocally(sandbox, container, needs);
    const elapsedMs = ownMs + answer.ms;
    if (elapsedMs > timeoutMs) return timedOut(timeoutMs, `command "${command.join(" ")}"`);
    return answer.ok ? { ok: true, elapsedMs, error: "" } : refused(elapsedMs);
  };
}

/** An image that is no program of ours (a pause image, say) has neither shell nor probe in it. */
function missingProgram(container: ContainerRuntime, command: readonly string[]): string | undefined {
  if (container.behaviour) return undefined;
  const [program = ""] = command;
  if (programsOfImage(container.image).includes(program.replace(/^\/(usr\/)?bin\//, ""))) return undefined;
  const why = program.startsWith("/")
    ? `stat ${program}: no such file or directory`
    : "executable file not found in $PATH";
  return `exec: "${program}": ${why}: unknown`;
}
