import { type CallSpec, dialledAddress } from "@microremed/environments";
import type { Attempted, ContainerRuntime, Machine, Network, PodSandbox } from "@microremed/sim-machine";
import { timedOut } from "./answers.ts";
import { refusalOf } from "./datastore-calls.ts";
import type { Programs } from "./programs.ts";
import type { Servers } from "./servers.ts";
import { withPolicy } from "./topology.ts";

/** Calls of programs that serve nothing: each is a request of its own through the network, which the callee works for. */
export function createJobCalls(
  { programs, machine }: { readonly programs: Programs; readonly machine: Machine },
  { tcpConnect, httpGet }: Pick<Network, "tcpConnect" | "httpGet">,
  servers: Servers,
): Pick<Network, "callsOfJob" | "callOfJob"> {
  function callOfJob(container: ContainerRuntime, sandbox: PodSandbox, call: CallSpec): Attempted {
    const given = call.env === undefined ? call.address : (container.env[call.env] ?? "");
    const { host, port } = dialledAddress(given, call.address);
    const limitMs = 1000 * call.timeoutSeconds;
    const named = (tried: Attempted): Attempted =>
      tried.ok ? tried : { ...tried, error: `${host}:${port}: ${tried.error}` };
    const opened = tcpConnect(sandbox, host, port, limitMs);
    if (!opened.ok || !opened.by) return named(opened);
    const { container: callee } = opened.by;
    const path = call.paths[0] ?? callee.behaviour?.paths[0] ?? "/";
    if (call.protocol === "http") return named(httpGet(sandbox, host, port, path, limitMs));
    const refusal = refusalOf(machine, call, given, container.env, sandbox, opened.by);
    if (refusal?.isSilent) return named(timedOut(limitMs, "request"));
    if (refusal?.share === 1) return { ...opened, ok: false, error: refusal.message };
    const { ms, status } = servers.serve(callee, path);
    const elapsedMs = opened.elapsedMs + ms;
    if (elapsedMs > limitMs) return named(timedOut(limitMs, "request"));
    return status < 400 ? { ...opened, elapsedMs } : named({ ok: false, elapsedMs, error: "internal error" });
  }

  return {
    callsOfJob: ({ behaviour, env }) =>
      (behaviour?.ends ? (programs.of(behaviour)?.calls ?? []) : []).flatMap((call) =>
        Array.from({ length: call.perRequest }, () => withPolicy(call, env)),
      ),
    callOfJob,
  };
}
