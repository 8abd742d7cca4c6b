import { prepareArena } from "@microremed/arena";
import { drawnParameters, type Environment, type Fault, type Noise, targetText } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import { aToolUser } from "@microremed/stack/in-process/testing";
import { afterAll, expect, test } from "vitest";
import { catalogue } from "../testing/entries.ts";
import { leavesOf } from "./testing/written-problem.ts";

/** Draws of a noise's values, of which one must look like the fault. */
const draws = [1, 2, 3, 4, 5];

const sizeOf = ({ workloads }: Environment): number => Object.keys(workloads).length;
const environments = catalogue.environments.all().toSorted((a, b) => sizeOf(a) - sizeOf(b));

type User = Awaited<ReturnType<typeof aToolUser>>;
const users = new Map<string, Promise<User>>();
afterAll(async () => {
  for (const user of users.values()) await (await user)[Symbol.asyncDispose]();
});

function userOf(environment: Environment): Promise<User> {
  const known = users.get(environment.name) ?? deployed(environment);
  users.set(environment.name, known);
  return known;
}

async function deployed(environment: Environment): Promise<User> {
  const user = await aToolUser(catalogue, environment);
  await prepareArena(user.arena, { redeploy: false, timeoutSeconds: 1800 });
  return user;
}

/** Faults of suites on which agents are compared, which a change log could show. */
const compared = new Set(
  catalogue.suites
    .all()
    .filter(({ values }) => values === "drawn")
    .flatMap(({ pools }) => pools.flatMap(({ faults }) => Object.values(faults).flat())),
);
const faults = catalogue.faults.all().filter(({ name, cause }) => compared.has(name) && !cause);

const targetsOf = (entry: Fault | Noise, environment: Environment): string[] =>
  entry.entry === "fault"
    ? entry.targets(environment).map(targetText)
    : [...(entry.targets?.(environment) ?? [""])];

/** The leaves and forms that a change log shows of an entry. */
async function shapesOf(entry: Fault | Noise, environment: Environment, target: string, seed: number) {
  const user = await userOf(environment);
  const near = target || (environment.targets[0] ?? "");
  const given = drawnParameters(entry, { environment, target: near }, undefined, createRng(seed));
  const context = { ...user.arena, target, parameters: given ?? {} };
  const leaves = await leavesOf(user, () =>
    entry.entry === "fault" ? entry.inject(context) : entry.place(context),
  );
  return new Set(leaves.map(({ leaf, form }) => `${leaf} ${form}`));
}

/** The smallest system that may have the fault, and a place in it where one of the noises may be too, if there is one. */
function placeOf(fault: Fault, noises: readonly Noise[]) {
  const places = environments.flatMap((environment) =>
    targetsOf(fault, environment).map((target) => {
      const there = noises.filter((noise) =>
        targetsOf(noise, environment).some((one) => one === "" || target.endsWith(one)),
      );
      return { environment, target, there };
    }),
  );
  return places.find(({ there }) => there.length > 0) ?? places[0];
}

test.each(faults)(
  "$name: some noise looks like it, value by value, or it says why none can",
  async (fault) => {
    const named = (fault.lookalikes ?? []).map((name) => catalogue.noises.get(name));
    const place = placeOf(fault, named);
    if (!place) throw new Error(`${fault.name} has no target in any environment`);
    const { environment, target, there } = place;
    const shown = await shapesOf(fault, environment, target, 1);
    const isSaid = fault.withoutLookalike !== undefined || fault.withoutTwin !== undefined;
    if (shown.size === 0 || isSaid) {
      expect(
        there.map(({ name }) => name),
        `lookalikes of ${fault.name}`,
      ).toEqual([]);
      return;
    }
    const lacking: string[] = [];
    for (const noise of there) {
      const missing: string[] = [];
      for (const seed of draws) {
        const own = await shapesOf(noise, environment, target.split("/").at(-1) ?? target, seed);
        const left = [...shown].filter((one) => !own.has(one));
        if (left.length === 0) return;
        missing.splice(0, missing.length, ...left);
      }
      lacking.push(`${noise.name} does not show: ${missing.join(", ")}`);
    }
    throw new Error(
      `who reads in a change log what ${fault.name} writes on ${target} of ${environment.name} knows that something is wrong: write a noise that gives the same fields values of the same form that work, and name it in the fault's lookalikes; or say in its withoutLookalike why there is none.\n${[...shown].join("\n")}\n${lacking.join("\n")}`,
    );
  },
  120_000,
);
