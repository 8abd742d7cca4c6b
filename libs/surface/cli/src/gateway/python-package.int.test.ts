import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveGym } from "@microremed/gym/serve";
import { execa } from "execa";
import { expect, test } from "vitest";
import { upRange } from "../testing/a-range.ts";

const root = join(import.meta.dirname, "../../../../..");
const withinMs = 10 * 60_000;

/** Debian's Python, where there is one: it is the oldest that the package supports. Undefined: there is none that is new enough. */
async function findPython(): Promise<string | undefined> {
  for (const python of ["/usr/bin/python3", "python3"]) {
    const asked = await execa(python, ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"], {
      ...{ reject: false, timeout: withinMs },
    });
    if (asked.exitCode === 0) return python;
  }
  return undefined;
}

/** A gym on the smallest system, without a soak. */
const served = () =>
  serveGym({
    ...{ host: "127.0.0.1", port: 0, workers: 1, most: 16, idleMs: withinMs },
    ...{ resetSeconds: 600, stepSeconds: 600, trainerToken: "the-trainers-own-token", agentToken: undefined },
    order: { catalogues: [], environment: "simple-micro", soakSeconds: 0 },
  });

test("the Python package passes its own tests, those against a range and a gym too", async ({ skip }) => {
  const python = await findPython();
  if (python === undefined) return skip("python3 3.11 or newer is not installed");
  await using folder = await mkdtempDisposable(join(tmpdir(), "microremed-python-"));
  await using range = await upRange(folder.path, "--range", "in-process", "--arenas", "3");
  await using gym = await served();
  const tests = await execa(
    python,
    ["-W", "error", "-m", "unittest", "discover", "-b", "-t", ".", "-s", "tests"],
    {
      ...{ cwd: join(root, "clients/python"), all: true, reject: false, timeout: withinMs },
      env: {
        PYTHONPATH: "src",
        PYTHONDONTWRITEBYTECODE: "1",
        MICROREMED_URL: range.url,
        MICROREMED_TOKEN: range.agent,
        MICROREMED_RESEARCHER_TOKEN: range.researcher,
        MICROREMED_GYM_URL: gym.url,
      },
    },
  );
  expect(tests.all).toMatch(/^Ran \d+ tests in \S+\n\nOK$/m);
});
