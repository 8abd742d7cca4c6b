import { logOfNoise, type Problem, shownBy, targetName } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { builtInCatalogue } from "../built-in-catalogue.ts";
import { partsOf } from "../testing/parts-of.ts";
import { problemsAt } from "./resolve-problems.ts";

const catalogue = await builtInCatalogue();
const parts = partsOf(catalogue);

/** What a change log shows of a problem with one fault on simple-micro, where the fault is, and the other workload. */
function shownIn({ environment: name, incident, noise }: Problem) {
  const [fault] = incident;
  const environment = catalogue.environments.get(name);
  const target = fault ? targetName({ environment, target: fault.target }) : "";
  const changes = noise
    .filter((one) => logOfNoise(catalogue.noises.get(one.noise)).length > 0)
    .map(({ target: on, ago }) => ({ on, ago, isFault: false }));
  if (fault && shownBy(parts.faults.get(fault.fault), environment, fault.target))
    changes.push({ on: target, ago: 0, isFault: true });
  const [other = ""] = Object.keys(environment.workloads).filter((workload) => workload !== target);
  return { changes, target, other };
}

test("no time and no number of changes says where the fault is", () => {
  const drawn = [1, 2].flatMap((seed) =>
    catalogue.problems
      .of("range@3")
      .filter(
        ({ environment, tasks, incident }) =>
          environment === "simple-micro" && !tasks.includes("monitoring") && incident.length === 1,
      )
      .map((one) => shownIn(catalogue.problems.at(one, seed))),
  );
  expect(drawn.length).toBeGreaterThan(120);
  // Three standard deviations of what a coin comes to.
  const most = 1.5 * Math.sqrt(drawn.length);
  const chance = (own: number, of: number): number => (own > of ? 1 : own === of ? 0.5 : 0) - 0.5;
  const off = { older: 0, fewer: 0, pairs: 0 };
  for (const { changes, target, other } of drawn) {
    const on = (workload: string) => changes.filter((one) => one.on === workload).map(({ ago }) => ago);
    off.older += chance(Math.min(1e6, ...on(target)), Math.min(1e6, ...on(other)));
    off.fewer += chance(on(other).length, on(target).length);
    for (const early of changes)
      if (changes.some(({ ago }) => early.ago - ago === 1))
        off.pairs += (early.isFault ? 1 : 0) - 1 / changes.length;
  }
  for (const [rule, by] of Object.entries(off))
    expect([rule, Math.abs(by) < most, by]).toEqual([rule, true, by]);
});

test("in a watch an alarm at the first change is right no more often than no alarm", () => {
  const entry = catalogue.suites.get("range@3");
  const own = catalogue.problems.of("range@3");
  const changing = new Set(entry.pools.flatMap(({ standIns }) => standIns));
  for (const seed of [1, 2, 3]) {
    const watches = problemsAt({ entry, file: "", files: [] }, parts, seed, own).filter(({ tasks }) =>
      tasks.includes("monitoring"),
    );
    for (const part of [3, 1]) {
      const right = watches.reduce((sum, { environment, incident: [fault], noise, watch }) => {
        const { windows = 0, windowSeconds = 1, withinWindows = 0 } = watch ?? {};
        const changes = noise
          .filter(({ noise: name, ago }) => changing.has(name) && ago < 0)
          .map(({ ago }) => -ago)
          .filter((at) => at % windowSeconds <= windowSeconds / part)
          .map((at) => Math.floor(at / windowSeconds));
        if (!fault) return sum + (changes.length === 0 ? 1 : 0);
        const system = catalogue.environments.get(environment);
        const isShown = shownBy(parts.faults.get(fault.fault), system, fault.target) !== undefined;
        // A fault comes in any window.
        const hits = Array.from({ length: windows }, (_, window) => {
          const alarm = Math.min(...changes, isShown ? window : windows);
          return alarm >= window && alarm < Math.min(windows, window + withinWindows) ? 1 : 0;
        });
        return sum + hits.reduce((all: number, one) => all + one, 0) / windows;
      }, 0);
      expect(right / watches.length, `seed ${seed}, changes in the first 1/${part} of a window`).toBeLessThan(
        1 / 3,
      );
    }
  }
});
