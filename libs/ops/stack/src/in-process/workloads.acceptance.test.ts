import { type Environment, workloadAtEntry } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { afterAll, expect, test } from "vitest";
import { aToolUser } from "./testing/tool-user.ts";
import { verdictUnder, workloads } from "./testing/under-load.ts";

const catalogue = await builtInCatalogue();
const seeds = Array.from({ length: 20 }, (_, i) => `seed ${i}`);
const limitMs = 3_600_000;

type User = Awaited<ReturnType<typeof aToolUser>>;
const users = new Map<string, Promise<User>>();
afterAll(async () => {
  for (const user of users.values()) await (await user)[Symbol.asyncDispose]();
});

function userOf(name: string): Promise<User> {
  const user = users.get(name) ?? aToolUser(catalogue, catalogue.environments.get(name));
  users.set(name, user);
  return user;
}

/** The edge on which users' requests enter. */
const entryOf = (environment: Environment): string | undefined => {
  const { load } = environment;
  return load.from === undefined ? workloadAtEntry(environment) : `${load.from} -> ${load.entry}`;
};

const cases = catalogue.environments
  .all()
  .flatMap(({ name }) => workloads.map((workload) => ({ name, workload })));

test.each(cases)(
  "$name under $workload.shape of $workload.factor: no seed fails a healthy system",
  async ({ name, workload }) => {
    const user = await userOf(name);
    const failed: string[] = [];
    for (const seed of seeds) {
      const { verdict, baseline } = await verdictUnder(user, catalogue, { workload, seed });
      const own = user.arena.environment.load.requestsPerSecond;
      const entering = baseline.edges?.find(({ edge }) => edge === entryOf(user.arena.environment));
      // Measured at the highest load, and noted at the usual one.
      expect((entering?.perSecond ?? 0) / own).toBeCloseTo(1, 0);
      if (!verdict.recovered || !verdict.clean) failed.push(`${seed}: ${verdict.reason}`);
    }
    expect(failed).toEqual([]);
  },
  limitMs,
);

test.each(cases)(
  "$name under $workload.shape of $workload.factor: a fault is one",
  async ({ name, workload }) => {
    const user = await userOf(name);
    for (const seed of seeds.slice(0, 2)) {
      const { verdict } = await verdictUnder(user, catalogue, { workload, seed, fault: "network-loss" });
      expect(verdict, seed).toMatchObject({ recovered: false });
    }
  },
  limitMs,
);
