import type { TaskResult } from "./module.types.ts";

const host = "k3s-control-plane";
const starred = (text: string): string => `${text} ${"*".repeat(Math.max(3, 79 - text.length))}`;

/** What Ansible prints of a run. */
export interface Recap {
  play(name: string): void;
  noHosts(): void;
  task(name: string, result: TaskResult, ignored: boolean): void;
  rescued(): void;
  text(): string;
}

export function createRecap(): Recap {
  const lines: string[] = [];
  const counts = { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
  return {
    play: (name) => void lines.push("", starred(`PLAY [${name}]`)),
    noHosts: () => void lines.push("skipping: no hosts matched"),
    task(name, result, ignored) {
      lines.push("", starred(`TASK [${name}]`));
      const { changed, failed, skipped, results, ...said } = result;
      const parts = Array.isArray(results) ? (results as readonly TaskResult[]) : [result];
      for (const one of parts) lines.push(lineOf(one));
      if (failed === true && parts.length !== 1)
        lines.push(`fatal: [${host}]: FAILED! => ${JSON.stringify({ changed, msg: said.msg })}`);
      if (skipped === true) counts.skipped += 1;
      else if (failed === true && !ignored) counts.failed += 1;
      else counts.ok += 1;
      if (changed && skipped !== true && (failed !== true || ignored)) counts.changed += 1;
      if (ignored) {
        counts.ignored += 1;
        lines.push("...ignoring");
      }
    },
    rescued() {
      counts.rescued += 1;
      counts.failed -= 1;
    },
    text() {
      const sums = Object.entries(counts).map(([name, count]) => `${name}=${count}`.padEnd(name.length + 5));
      return [
        ...lines,
        "",
        starred("PLAY RECAP"),
        `${host.padEnd(26)} : ${sums.join("")}`.trimEnd(),
        "",
      ].join("\n");
    },
  };
}

function lineOf(result: TaskResult): string {
  const { failed, skipped, changed, ...said } = result;
  if (skipped === true) return `skipping: [${host}]`;
  const text = JSON.stringify({ changed, ...said });
  if (failed === true) return `fatal: [${host}]: FAILED! => ${text}`;
  const isPrinted = "msg" in said || Object.keys(said).length === 1;
  const state = changed ? "changed" : "ok";
  return isPrinted ? `${state}: [${host}] => ${JSON.stringify(said, null, 4)}` : `${state}: [${host}]`;
}
