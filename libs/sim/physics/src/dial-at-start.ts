import { dialledAddress } from "@microremed/environments";
import type { Machine, Network } from "@microremed/sim-machine";
import { refusalOf } from "./datastore-calls.ts";
import type { Programs } from "./programs.ts";

/** Tries the calls that a program makes before it listens; the first that fails is the answer. */
export function createDialAtStart(
  { programs, machine }: { readonly programs: Programs; readonly machine: Machine },
  connect: Network["tcpConnect"],
): Network["dialAtStart"] {
  return (container, sandbox, timeoutMs) => {
    const calls = programs.of(container.behaviour)?.calls.filter(({ atStart }) => atStart) ?? [];
    if (calls.length === 0) return undefined;
    let elapsedMs = 0;
    for (const call of calls) {
      const given = call.env === undefined ? call.address : (container.env[call.env] ?? "");
      const { host, port } = dialledAddress(given, call.address);
      const tried = connect(sandbox, host, port, timeoutMs - elapsedMs);
      elapsedMs += tried.elapsedMs;
      if (!tried.ok) return { ok: false, elapsedMs, error: `dial ${host}:${port}: ${tried.error}` };
      const refusal = tried.by && refusalOf(machine, call, given, container.env, sandbox, tried.by);
      if (refusal?.share === 1) return { ok: false, elapsedMs, error: refusal.message };
    }
    return { ok: true, elapsedMs, error: "" };
  };
}
