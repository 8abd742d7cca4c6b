import { expect, test } from "vitest";
import { justBash } from "./just-bash.ts";
import { stepBound } from "./step-bound.ts";

/** Whether a script of one shell ends before its bound. */
async function ends(script: string, most: number): Promise<boolean> {
  const { Bash } = await justBash();
  const steps = stepBound(most);
  await new Bash({ defenseInDepth: false, coverage: steps }).exec(script).catch(() => undefined);
  return !steps.exceeded;
}

test.each([
  "awk 'BEGIN { for (i = 0; i < 50; i++) for (j = 0; j < 50; j++) x += i }'",
  "awk 'function f(n) { return n ? f(n - 1) + f(n - 1) : 1 } BEGIN { f(12) }'",
  "seq 1 300 | sed 's/1/2/'",
  "for i in 1 2 3 4 5 6 7 8; do seq 1 100 | awk '{ s += $1 } END { print s }'; done",
])("steps of a script's text tools count together: %s", async (script) => {
  expect(await ends(script, 2_000)).toBe(false);
  expect(await ends(script, 100_000)).toBe(true);
});

test("what the shell itself does is bounded by other limits", async () => {
  expect(await ends("for i in $(seq 1 200); do echo $i; done", 10)).toBe(true);
});
