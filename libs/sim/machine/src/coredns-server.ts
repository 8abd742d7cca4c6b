import { appendLog } from "./append-log.ts";
import { compileCorefile, type NameRules } from "./corefile/compile-corefile.ts";
import { fileAt, locate, normalized } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";

/** What a running CoreDNS goes by. */
export interface CorednsState {
  readonly type: "coredns";
  /** The Corefile that is in force. */
  readonly corefile: string;
  /** As the file was when it was read last, and when, cluster time in ms: it may have had no effect. */
  readonly seen: string;
  readonly at: number;
}

const image = /(^|\/)coredns\/coredns(:|@|$)/;
/** CoreDNS waits this long at least, ms. */
const shortestReloadMs = 2_000;

/** By their Corefiles: servers of a cluster have the same one, and hardly any other. */
const rules = new Map<string, NameRules>();
const mostCorefiles = 20;

/** The rules of the CoreDNS in a container; undefined: it is none, or has not started. */
export function nameRulesOf({ datastore }: ContainerRuntime): NameRules | undefined {
  if (datastore?.type !== "coredns") return undefined;
  const known = rules.get(datastore.corefile);
  if (known) return known;
  const compiled = compileCorefile(datastore.corefile);
  if (rules.size >= mostCorefiles) rules.clear();
  rules.set(datastore.corefile, compiled);
  return compiled;
}

function corefileOf(sandbox: PodSandbox, container: ContainerRuntime): string | undefined {
  const at = container.command.indexOf("-conf");
  const path = normalized((at >= 0 && container.command[at + 1]) || "/Corefile");
  const file = fileAt(locate(sandbox, container, path));
  return file && Buffer.from(file).toString();
}

/** Why the CoreDNS in a container ends when it starts at `now` (ms), in its words; undefined: it does not, or it is none. */
export function corednsStartError(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  now: number,
): string | undefined {
  if (!image.test(container.image)) return undefined;
  // Without a file it answers who has asked: nothing that leads anywhere.
  const corefile = corefileOf(sandbox, container) ?? "";
  try {
    compileCorefile(corefile);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  container.datastore = { type: "coredns", corefile, seen: corefile, at: now };
  return undefined;
}

/**
 * Reads the file again where its time has come; what cannot be read stays without effect, as with the plugin reload. True: what
 * it answers may have changed.
 */
export function reloadCoredns(sandbox: PodSandbox, container: ContainerRuntime, now: number): boolean {
  const { datastore: state } = container;
  if (state?.type !== "coredns") return false;
  const { reloadMs } = nameRulesOf(container) ?? {};
  if (reloadMs === undefined || now - state.at < Math.max(shortestReloadMs, reloadMs)) return false;
  const seen = corefileOf(sandbox, container) ?? "";
  const say = (text: string) => appendLog(container, { at: now, stream: "stdout", text });
  container.datastore = { ...state, seen, at: now };
  if (seen === state.seen) return false;
  say("[INFO] Reloading");
  try {
    compileCorefile(seen);
  } catch (thrown) {
    say(`[ERROR] Restart failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    say("[ERROR] plugin/reload: Corefile changed but reload failed");
    return false;
  }
  container.datastore = { type: "coredns", corefile: seen, seen, at: now };
  say("[INFO] Reloading complete");
  return true;
}
