import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext, Manifest, Ran, Step } from "../case.types.ts";
import { splitCommand } from "../split-command.ts";
import { demand, type Expected } from "./expect.ts";

interface Extra {
  /** Manifests or text on stdin. */
  readonly input?: Manifest | string;
  readonly as?: string;
  /** Anything of stderr; by itself a command that succeeds may warn. */
  readonly stderr?: Expected;
}

async function start(context: CaseContext, line: string, extra: Extra): Promise<Ran> {
  const { input, as } = extra;
  const text = typeof input === "object" ? JSON.stringify(input) : input;
  return context.kubectl(splitCommand(context.fill(line)), {
    ...(text !== undefined && { input: context.fill(text) }),
    ...(as !== undefined && { as }),
  });
}

/** A kubectl command that succeeds, and what it prints. */
export const run = (line: string, stdout?: Expected, extra: Extra = {}): Step => ({
  async run(context) {
    const ran = await start(context, line, extra);
    if (ran.exit !== 0) throw new Error(`kubectl ${line}: exit code ${ran.exit}\n${ran.stderr}${ran.stdout}`);
    if (stdout !== undefined) demand(`kubectl ${line}`, ran.stdout, stdout, context.fill);
    if (extra.stderr !== undefined)
      demand(`stderr of kubectl ${line}`, ran.stderr, extra.stderr, context.fill);
  },
});

/** A kubectl command that fails with exit code 1 (or another, or any), and what it complains about. */
export const fails = (
  line: string,
  complaint: Expected,
  extra: Extra & { readonly exit?: number | "any" } = {},
): Step => ({
  async run(context) {
    const { exit = 1 } = extra;
    const ran = await start(context, line, extra);
    if (exit === "any" ? ran.exit === 0 : ran.exit !== exit)
      throw new Error(`kubectl ${line}: exit code ${ran.exit}, expected ${exit}\n${ran.stderr}${ran.stdout}`);
    demand(`kubectl ${line}`, ran.stderr + ran.stdout, complaint, context.fill);
  },
});

const pauseMs = 300;

/** Waits until a pod's log is this. */
export const says = (pod: string, log: RegExp): Step => ({
  async run(context) {
    for (let last = ""; ; ) {
      const ran = await start(context, `logs ${pod}`, {});
      last = ran.stdout + ran.stderr;
      if (log.test(last)) return;
      if (context.signal.aborted) throw new Error(`the log of ${pod} never was ${log}, last was\n${last}`);
      await delay(pauseMs, undefined, { signal: context.signal }).catch(() => {});
    }
  },
});

/** `kubectl apply -f -` of manifests. */
export const apply = (input: Manifest, stdout?: Expected, extra: Extra = {}): Step =>
  run("apply -f -", stdout, { input, ...extra });

/** `kubectl create -f -` of a manifest that the server refuses. */
export const refuses = (input: Manifest, complaint: Expected): Step =>
  fails("create -f -", complaint, { input });
