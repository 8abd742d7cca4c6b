import { expect, test } from "vitest";
import {
  AppError,
  busyFactor,
  type Clock,
  clipMiddle,
  counted,
  createRng,
  createSecretRng,
  oneOf,
  terminal,
  waitFor,
} from "./index.ts";

/** A clock that a test moves by sleeping on it. */
function handClock(): Clock & { held: number } {
  let now = 0;
  const clock = {
    held: 0,
    now: async () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    hold: async () => {
      clock.held += 1;
      return {
        [Symbol.asyncDispose]: async () => {
          clock.held -= 1;
        },
      };
    },
  };
  return clock;
}

test("the same seed gives the same numbers, and forks do not disturb one another", () => {
  const draw = (seed: number) => {
    const rng = createRng(seed);
    return [rng.int(1000), rng.float(), rng.pick(["a", "b", "c"])];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  const alone = createRng(7).fork("targets").int(1_000_000);
  const parent = createRng(7);
  parent.int(10);
  expect(parent.fork("targets").int(1_000_000)).toBe(alone);
});

test("streams of a family begin again with its salt, each its own, and the same salt gives the same numbers", () => {
  const family = { keep: () => {}, salt: "" };
  const rng = createRng(7, "all", family);
  const [one, other] = [rng.fork("one"), rng.fork("other")];
  const draw = () => [one.int(1_000_000), other.int(1_000_000)];
  const first = draw();
  expect(first).toEqual(["one", "other"].map((name) => createRng(7, "all").fork(name).int(1_000_000)));
  const salted = (salt: string) => {
    family.salt = salt;
    return draw();
  };
  const a = salted("a");
  expect(a).not.toEqual(first);
  expect(new Set([...a, ...salted("b")]).size).toBe(4);
  expect(salted("a")).toEqual(a);
  expect(rng.fork("one").int(1_000_000)).toBe(a[0]);
  expect(draw()).not.toEqual(a);
});

test("integers cover their range evenly and floats stay below one", () => {
  const rng = createRng("coverage");
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 5000; i += 1) {
    const face = rng.int(5);
    counts[face] = (counts[face] ?? 0) + 1;
    const float = rng.float();
    expect(float >= 0 && float < 1).toBe(true);
  }
  // 5 sigma around 1000 of a binomial with p = 1/5.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(5000 * 0.2 * 0.8));
});

test("picking from nothing is refused", () => {
  expect(() => createRng(1).pick([])).toThrow(RangeError);
});

test("a wait returns what it found and lets go of the clock", async () => {
  const clock = handClock();
  let checks = 0;
  const found = await waitFor(
    { clock, what: "the third check", timeoutMs: 10_000, intervalMs: 1_000 },
    async () => {
      checks += 1;
      expect(clock.held).toBe(1);
      return checks === 3 ? "here" : undefined;
    },
  );
  expect(found).toBe("here");
  expect(await clock.now()).toBe(2_000);
  expect(clock.held).toBe(0);
});

test("a wait that fails says what it waited for, how long, and what it saw", async () => {
  const clock = handClock();
  const waiting = waitFor(
    { clock, what: "cartservice to be Ready", timeoutMs: 5_000, intervalMs: 2_000 },
    async () => undefined,
    () => "0 of 1 replicas ready",
  );
  await expect(waiting).rejects.toThrow(
    "waited 5 s of cluster time for cartservice to be Ready; last seen: 0 of 1 replicas ready",
  );
  await waiting.catch((error: unknown) =>
    expect(AppError.from(error)).toMatchObject({ code: "deadline-exceeded" }),
  );
  expect(clock.held).toBe(0);
});

test("checks that take longer than the whole wait are still made as often as was asked", async () => {
  const clock = handClock();
  let checks = 0;
  const found = await waitFor(
    { clock, what: "the third check", timeoutMs: 5_000, intervalMs: 1_000, leastChecks: 3 },
    async () => {
      await clock.sleep(60_000);
      checks += 1;
      return checks === 3 ? "here" : undefined;
    },
  );
  expect(found).toBe("here");
});

test("anything thrown becomes an AppError, and an AppError stays itself", () => {
  const own = terminal("invalid-request", "no");
  expect(AppError.from(own)).toBe(own);
  expect(AppError.from("boom")).toMatchObject({ code: "internal", severity: "retryable", message: "boom" });
});

test("a long text keeps its head and tail and says what is missing", () => {
  const clipped = clipMiddle(`${"a".repeat(500)}${"z".repeat(500)}`, 200);
  expect(clipped.length).toBeLessThanOrEqual(220);
  expect(clipped).toMatch(/^a+\n\.\.\. \[860 characters left out\] \.\.\.\nz+$/);
  expect(clipMiddle("short", 200)).toBe("short");
});

test("a long text is cut at the ends of its lines, and the lines that are missing are counted", () => {
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i} of the output`);
  const clipped = clipMiddle(lines.join("\n"), 300);
  const kept = clipped.split("\n").filter((line) => !line.startsWith("..."));
  expect(lines).toEqual(expect.arrayContaining(kept));
  expect(kept.at(-1)).toBe(lines.at(-1));
  expect(clipped).toContain(`[${100 - kept.length} lines, `);
  expect(clipped.length).toBeLessThanOrEqual(300);
});

test("a text that was cut before has more left out than can be counted", () => {
  const once = clipMiddle("a line\n".repeat(1000), 700);
  expect(once).not.toContain("over");
  const twice = clipMiddle(once, 300);
  expect(twice).toMatch(
    /^(a line\n)+\.\.\. \[over \d+ lines, \d+ characters left out\] \.\.\.\n(a line\n)+$/,
  );
  expect(twice.length).toBeLessThanOrEqual(300);
});

test("names are listed as a sentence lists them", () => {
  expect(oneOf(["a", "b", "c"])).toBe('"a", "b" or "c"');
});

test("a deadline grows with the tasks that want a core, to twenty times at most", () => {
  expect(busyFactor([0.3, 0.1, 0], 2)).toBe(1);
  expect(busyFactor([8, 2, 1], 2)).toBe(4);
  expect(busyFactor([1, 8, 1], 2)).toBe(4);
  expect(busyFactor([500, 0, 0], 2)).toBe(20);
  expect(busyFactor([], 2)).toBe(1);
});

test.each([
  [0, "0 changes"],
  [1, "1 change"],
  [2, "2 changes"],
])("%i is counted in words", (count, said) => {
  expect(counted(count, "change")).toBe(said);
});

test("numbers of a secret key are the same for the same key and purpose alone, and need all of the key", () => {
  const some = (key: string, purpose: string) => {
    const rng = createSecretRng(key, purpose);
    return [rng.int(2 ** 31), rng.fork("a").int(2 ** 31), rng.int(2 ** 31)];
  };
  expect(some("k", "case 1")).toEqual(some("k", "case 1"));
  expect(some("k", "case 2")).not.toEqual(some("k", "case 1"));
  expect(some("l", "case 1")).not.toEqual(some("k", "case 1"));
  // A state of 32 bits repeats among so many with near certainty, and two numbers are then the same.
  const firsts = Array.from({ length: 200_000 }, (_, at) => {
    const rng = createSecretRng("k", String(at));
    return rng.int(2 ** 31) * 2 ** 21 + (rng.int(2 ** 31) % 2 ** 21);
  });
  expect(new Set(firsts).size).toBe(firsts.length);
});
