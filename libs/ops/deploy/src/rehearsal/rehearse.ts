import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import { execa } from "execa";
import { repository } from "../repository.ts";

const experimentWithinMs = 900_000;
const reportWithinMs = 60_000;

export interface RehearsalOptions {
  /** NATS_URL, NATS_USER, NATS_PASSWORD and, with TLS, NATS_CA_FILE: what a client from outside has. */
  readonly client: Readonly<Record<string, string>>;
  /** Text of the client's /etc/hosts, when it is to find the servers by name. Default: this machine's. */
  readonly hosts?: string;
  /** The request, as published. */
  readonly request: object;
  /** Called once, when so many episodes are done; the experiment goes on meanwhile. */
  readonly midway: { readonly episodes: number; readonly act: () => Promise<void> };
}

/** An experiment from its publication to its report. */
export interface Rehearsed {
  readonly experimentId: string;
  readonly episodes: number;
  /** Wall clock, from the submission to the end. */
  readonly seconds: number;
  /** `microremed report`, for people. */
  readonly table: string;
  /** The same for programs. */
  readonly report: unknown;
}

/**
 * Publishes an experiment by a bare NATS client (docs/examples/submit.py), does something in the middle of it, and
 * returns the report that the command line gets with the client's rights. Throws when the request is refused or the
 * experiment does not end.
 */
export async function rehearse({ client, hosts, request, midway }: RehearsalOptions): Promise<Rehearsed> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-request-"));
  try {
    const file = join(dir, "request.json");
    await writeFile(file, JSON.stringify(request));
    const startedAt = performance.now();
    const inside = hosts === undefined ? [] : await besides(dir, hosts);
    const submit = [...inside, "/usr/bin/python3", join(repository, "docs/examples/submit.py"), file];
    const submission = execa("/usr/bin/env", submit, {
      env: { ...client, PYTHONUNBUFFERED: "1" },
      extendEnv: false,
      timeout: experimentWithinMs,
      // What it says on stderr is read below; its exit code is an error of its own.
      reject: false,
    });
    let accepted: { experimentId: string; episodes: number } | undefined;
    let acting: Promise<void> | undefined;
    for await (const line of submission) {
      const said = JSON.parse(line) as {
        status?: string;
        experimentId?: string;
        episodes?: number;
        done?: number;
      };
      if (said.status === "accepted" && said.experimentId !== undefined)
        accepted = { experimentId: said.experimentId, episodes: said.episodes ?? 0 };
      if ((said.done ?? 0) >= midway.episodes) acting ??= midway.act();
    }
    const { exitCode, stderr } = await submission;
    const seconds = (performance.now() - startedAt) / 1000;
    await acting;
    if (!accepted || exitCode !== 0)
      throw terminal("deadline-exceeded", `the client ended with ${exitCode}: ${stderr.slice(-2000)}`);
    const { experimentId } = accepted;
    const commandLine = (...args: string[]) => runMicroremed(args, client, inside);
    const table = await commandLine("report", experimentId);
    const report: unknown = JSON.parse(await commandLine("report", experimentId, "--format", "json"));
    return { ...accepted, seconds, table, report };
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** The words that start a program with this /etc/hosts and everything else of this machine. */
async function besides(dir: string, hosts: string): Promise<string[]> {
  const file = join(dir, "hosts");
  await writeFile(file, hosts);
  return ["bwrap", "--dev-bind", "/", "/", "--ro-bind", file, "/etc/hosts", "--die-with-parent", "--"];
}

/** The command line with these variables and none of this process's; what it prints. */
export async function runMicroremed(
  args: readonly string[],
  client: Readonly<Record<string, string>>,
  inside: readonly string[] = [],
): Promise<string> {
  const program = join(repository, "libs/surface/cli/bin/microremed.mjs");
  const ran = await execa("/usr/bin/env", [...inside, process.execPath, program, ...args], {
    cwd: tmpdir(),
    env: client,
    extendEnv: false,
    timeout: reportWithinMs,
  });
  return ran.stdout;
}
