import { cp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { type PodLink, repository } from "@microremed/deploy";
import { makeOwnedDirectory, whenOrphaned } from "@microremed/servers";
import { execa } from "execa";
import type { RealCluster } from "../real-cluster.ts";

/** A computer with a checkout of the project and a shell, where an operator types what a page says. */
export interface OperatorsComputer extends AsyncDisposable {
  /** Of the checkout. Its manifests may be edited; all else is the project's own. */
  readonly dir: string;
  /**
   * Types a command into the one shell that it has, and returns what it prints on stdout. Throws when the command fails,
   * and when it warns of a manifest. `onLine` gets what it prints meanwhile.
   */
  type(command: string, onLine?: (line: string) => void): Promise<string>;
}

const withinMs = 1_800_000;
/** Reads commands that end in a zero byte, so that no program takes the next one for its input. */
const reader = `while IFS= read -r -d '' -u 3 command; do
  eval "$command" 3<&- </dev/null
  code=$?
  printf '\\n%s %s\\n' "$1" "$code"
  printf '\\n%s\\n' "$1" >&2
done`;
const mark = "the-command-has-ended";

/** Starts the shell in the network of a computer beside a cluster's nodes, with a hosts file of its own. */
export async function startComputer(
  link: PodLink,
  { kubeconfig, programs }: Pick<RealCluster, "kubeconfig" | "programs">,
  say: (line: string) => void,
): Promise<OperatorsComputer> {
  await using started = new AsyncDisposableStack();
  started.use(link);
  const dir = await makeOwnedDirectory("operator");
  started.defer(() => rm(dir, { recursive: true, force: true }));
  await makeCheckout(dir);
  const hosts = join(dir, "hosts");
  await writeFile(hosts, await readFile("/etc/hosts"));
  const setUp = 'mount --bind "$1" /etc/hosts && exec bash -o pipefail -c "$2" bash "$3"';
  const [program = "", ...args] = [
    ...link.enter,
    ...["unshare", "--mount", "--propagation", "private", "sh", "-c", setUp, "sh", hosts, reader, mark],
  ];
  const shell = execa(program, args, {
    cwd: dir,
    env: { KUBECONFIG: kubeconfig, PATH: `${programs}:${process.env["PATH"]}` },
    reject: false,
    detached: true,
    buffer: false,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const group = String(shell.pid);
  const guard = whenOrphaned('kill -- "-$1"', [group]);
  const end = (): void => {
    try {
      process.kill(-Number(group), "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  started.defer(async () => {
    guard.release();
    end();
    await shell;
  });
  let hasEnded = false;
  // Its output may stay open: jobs in the background have it too.
  shell.nodeChildProcess.once("exit", () => {
    hasEnded = true;
  });
  const input = shell.stdio[3] as unknown as Writable;
  const out = createInterface(shell.stdout);
  const errors = createInterface(shell.stderr);
  const owned = started.move();
  return {
    dir,
    async type(command, onLine) {
      if (hasEnded) throw new Error(`no shell for \`${command}\`: it ended at an earlier command`);
      say(`$ ${command}`);
      const lines: string[] = [];
      const complaints: string[] = [];
      const code = Promise.withResolvers<string>();
      const allSaid = Promise.withResolvers<void>();
      const hear = (line: string): void => {
        const [, found] = new RegExp(`^${mark} (\\d+)$`).exec(line) ?? [];
        if (found !== undefined) {
          code.resolve(found);
          return;
        }
        lines.push(line);
        onLine?.(line);
      };
      const hearComplaint = (line: string): void => {
        if (line === mark) allSaid.resolve();
        else complaints.push(line);
      };
      const giveUp = (why: string): void => {
        for (const { reject } of [code, allSaid]) reject(new Error(why));
      };
      const late = setTimeout(() => {
        giveUp(`\`${command}\` does not end`);
        // The next command's output would begin with the rest of this one's.
        end();
      }, withinMs);
      const ended = (): void => giveUp(`the shell ended at \`${command}\``);
      shell.nodeChildProcess.once("exit", ended);
      out.on("line", hear);
      errors.on("line", hearComplaint);
      try {
        input.write(`${command}\0`);
        const [exit] = await Promise.all([code.promise, allSaid.promise]);
        const said = complaints.join("\n");
        if (exit !== "0") throw new Error(`\`${command}\` ended with ${exit}: ${said}\n${lines.join("\n")}`);
        if (/^Warning/m.test(said)) throw new Error(`\`${command}\` warns: ${said}`);
      } finally {
        clearTimeout(late);
        shell.nodeChildProcess.off("exit", ended);
        out.off("line", hear);
        errors.off("line", hearComplaint);
      }
      return lines.join("\n").trimEnd();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The project as it is, with manifests of its own. */
async function makeCheckout(dir: string): Promise<void> {
  for (const entry of await readdir(repository)) {
    if (entry === "k8s") await cp(join(repository, entry), join(dir, entry), { recursive: true });
    else if (!entry.startsWith(".")) await symlink(join(repository, entry), join(dir, entry));
  }
}
