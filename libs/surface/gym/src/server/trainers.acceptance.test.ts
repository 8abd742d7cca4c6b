import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { serveGym } from "./serve-gym.ts";

const clients = join(import.meta.dirname, "../../../../../clients/python");
/** A Python with the packages of `clients/python/examples/requirements-gym.txt`: they are too large to be installed here. */
const python = process.env["MICROREMED_TRAINERS_PYTHON"] ?? "python3";
const withinMs = 30 * 60_000;

/** Each example with the package that it fits the gym to, and what it prints. */
const examples: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["gymnasium", ["gym_gymnasium.py"], /^2 answers: reward 0\.9\d, terminated True/m],
  ["trl", ["gym_trl.py"], /'gym\/episodes': 80\.0.*\n(.*\n)*pod-fail +\d+/],
  ["trl", ["gym_trl.py", "--text", "--steps", "2"], /'gym\/episodes': 16\.0/],
  ["skyrl_gym", ["gym_skyrl.py"], /^seed 1: \d+ answers, reward -?\d/m],
  ["verl", ["gym_verl.py"], /^reward -?\d\.\d+, \d+ turns, \d+ of \d+ tokens its own$/m],
];

for (const [module, [file = "", ...options], said] of examples)
  test(`${[file, ...options].join(" ")} trains or plays in the gym`, async ({ skip }) => {
    const how = { reject: false, timeout: withinMs, all: true } as const;
    const found = await execa(python, ["-c", `import ${module}`], how);
    if (found.exitCode !== 0) {
      const why = found.all?.trim().split("\n").at(-1) || "it did not start";
      return skip(`${python} cannot import ${module}: ${why}; MICROREMED_TRAINERS_PYTHON names another`);
    }
    await using gym = await serveGym({
      ...{ host: "127.0.0.1", port: 0, workers: 1, most: 64, idleMs: withinMs },
      ...{
        resetSeconds: 600,
        stepSeconds: 600,
        trainerToken: "the-trainers-own-token",
        agentToken: undefined,
      },
      order: { catalogues: [], environment: "simple-micro", soakSeconds: 0 },
    });
    const played = await execa(python, [join(clients, "examples", file), ...options], {
      ...how,
      env: {
        ...{ MICROREMED_GYM_URL: gym.url, PYTHONPATH: join(clients, "src"), PYTHONDONTWRITEBYTECODE: "1" },
        ...{ HF_HUB_OFFLINE: "1", OMP_NUM_THREADS: "1" },
      },
    });
    expect(played.exitCode, played.all).toBe(0);
    expect(played.stdout).toMatch(said);
  });
