import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

/** Programs that are to run until their machine ends; each writes to `<name>.log`. */
export interface Daemons {
  start(
    name: string,
    argv: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<void>;
  /** Which of them have ended all the same, how, and the end of what they printed. Undefined: all run. */
  ended(): Promise<string | undefined>;
}

const logChars = 4000;

/** `place` is where they run, for messages; their logs are in `dir`, which is also where they start. */
export function createDaemons(place: string, dir: string): Daemons {
  const endings = new Map<string, string>();
  return {
    async start(name, [program = "", ...args], env) {
      const file = join(dir, `${name}.log`);
      await writeFile(file, "");
      const output = { file, append: true } as const;
      const child = execa(program, args, {
        ...{ reject: false, cwd: dir, env, stdin: "ignore", stdout: output, stderr: output },
        // Ctrl-C in a terminal is for the program that ends the machine.
        detached: true,
      });
      void child.then((result) => endings.set(name, howEnded(result)));
    },
    async ended() {
      const texts = [...endings].map(async ([name, how]) => {
        const log = (await readFile(join(dir, `${name}.log`), "utf8")).slice(-logChars);
        return `${name} on ${place} has ended (${how}), though it should run. The end of its log:\n${log.trim()}`;
      });
      return texts.length === 0 ? undefined : (await Promise.all(texts)).join("\n");
    },
  };
}

interface Ending {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Why it could not be started. */
  readonly shortMessage?: string | undefined;
}

function howEnded({ exitCode, signal, shortMessage }: Ending): string {
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  return signal ?? shortMessage ?? "for an unknown reason";
}
