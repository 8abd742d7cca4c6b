import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { aCase, aGym, submitted, typed } from "../testing/a-gym.ts";
import { shaping } from "./potential.ts";

test("over every episode the shaping sums up to minus the first potential, so that the order of policies stays", () => {
  const rng = createRng(7);
  for (const gamma of [1, 0.99, 0.5]) {
    for (let episode = 0; episode < 200; episode++) {
      const potentials = Array.from({ length: 1 + rng.int(30) }, () => rng.float());
      const discounted = potentials.reduce(
        (sum, potential, t) => sum + gamma ** t * shaping(potential, potentials[t + 1], gamma),
        0,
      );
      expect(discounted).toBeCloseTo(-(potentials[0] ?? 0), 9);
    }
  }
});

test("two ways through the same case differ by the same reward with the shaping and without", async () => {
  const ways = {
    right: [typed("kubectl get pods"), typed("kubectl delete podchaos --all"), submitted],
    wrong: [typed("kubectl scale deployment --all --replicas=0"), submitted],
  };
  const returnsWith = async (options: { readonly shaping?: number }) => {
    await using gym = aGym(options);
    const sums: Record<string, number> = {};
    const steps: number[] = [];
    for (const [name, actions] of Object.entries(ways)) {
      await gym.reset(name, aCase());
      let sum = 0;
      for (const action of actions) {
        const { reward } = await gym.step(name, action);
        steps.push(reward ?? Number.NaN);
        sum += reward ?? Number.NaN;
      }
      sums[name] = sum;
    }
    return { difference: (sums["right"] ?? 0) - (sums["wrong"] ?? 0), steps };
  };
  const [plain, shaped] = [await returnsWith({}), await returnsWith({ shaping: 1 })];
  expect(shaped.difference).toBeCloseTo(plain.difference, 9);
  expect(shaped.steps).not.toEqual(plain.steps);
  expect(plain.difference).toBeGreaterThan(0.9);
});
