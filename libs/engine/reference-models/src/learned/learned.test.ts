import { readFileSync } from "node:fs";
import { checkPlaybook, parsePlaybook } from "@microremed/ansible";
import { createPolicyRegistry } from "@microremed/policies";
import { expect, test } from "vitest";
import { policies } from "../policies/index.ts";
import type { Situation } from "../policy.ts";
import { readNetwork } from "./network-file.ts";
import { startReading } from "./run-network.ts";
import { mostWritten, type Prompt, tokensOf, writeScript } from "./write-script.ts";

const file = readFileSync(new URL("network.bin", import.meta.url));
const network = readNetwork(file);

/** What PyTorch computed with the weights of the file; `training/small/export.py` writes it. */
const computed: readonly {
  readonly prompt: Prompt;
  readonly tokens: readonly number[];
  readonly script: string;
  readonly written: readonly number[];
  readonly first: readonly number[];
  readonly last: readonly number[];
}[] = JSON.parse(readFileSync(new URL("testdata/logits.json", import.meta.url), "utf8"));

const situation = (failure: string | undefined, target: string | undefined): Situation => ({
  report: {
    ...{ environment: "shop", namespace: "shop-1" },
    ...(failure !== undefined && { failure }),
    ...(target !== undefined && { target }),
  },
  ...{ attempt: 1, seed: 1, canProbe: true, observations: [], tools: [], answers: new Map() },
  ...{ pausesBefore: 0, answer: null },
});

/** The lines of its script, after `set -e`. */
function scriptFor(failure: string | undefined, target: string | undefined): string {
  const move = policies["reference/learned"].repair(situation(failure, target), []);
  if (!("playbook" in move)) throw new Error("no playbook");
  const parsed = parsePlaybook(move.playbook);
  expect(parsed).toMatchObject({ ok: true });
  return (move.command ?? "").replace("set -e\n", "");
}

test("logits are those of PyTorch, for a prompt and at the end of what is written for it", () => {
  for (const { prompt, tokens, script, written, first, last } of computed) {
    expect(tokensOf(prompt, network)).toEqual(tokens);
    const reading = startReading(network);
    const logits = tokens.map((token) => reading.next(token)).at(-1) ?? [];
    const apart = (one: ArrayLike<number>, other: readonly number[]): number =>
      Math.max(...other.map((value, place) => Math.abs(value - (one[place] ?? Number.NaN))));
    expect(logits).toHaveLength(first.length);
    expect(apart(logits, first)).toBeLessThan(2e-3);
    const atEnd = written.map((token) => reading.next(token)).at(-1) ?? [];
    expect(apart(atEnd, last)).toBeLessThan(2e-3);
    expect(writeScript(network, prompt)).toBe(script);
  }
});

test("the file is small, and one that was cut is refused", () => {
  expect(file.byteLength).toBeLessThan(3 * 2 ** 20);
  expect(() => readNetwork(file.subarray(0, file.byteLength - 100))).toThrow();
});

test("it writes the names of the case, most of those that it has never read too", () => {
  const targets = ["cartservice", "billing-api", "ledger", "orders-db", "web", "stock-service"];
  const right = targets.filter((target) => {
    const script = scriptFor("pod-fail", target);
    return script.includes(`deployment/${target} statefulset/${target} `) && script.includes("-n shop-1 ");
  });
  expect(right.length).toBeGreaterThanOrEqual(4);
});

test("whatever it is given, it answers with a playbook that ends", () => {
  const longest = Math.max(...network.pieces.map(({ length }) => length));
  for (const [failure, target] of [
    ["unheard-of", "cartservice"],
    [undefined, undefined],
    ["POD FAIL ✗", "x".repeat(253)],
  ] as const)
    expect(scriptFor(failure, target).length).toBeLessThanOrEqual(mostWritten * longest);
});

test("the guard lets what it writes for faults that it knows pass", async () => {
  const guard = { policy: createPolicyRegistry().get("guarded"), namespace: "shop-1" };
  for (const failure of ["cpu-stress", "pod-config-error"]) {
    const move = policies["reference/learned"].repair(situation(failure, "cartservice"), []);
    const parsed = parsePlaybook("playbook" in move ? move.playbook : "");
    expect(parsed.ok && (await checkPlaybook(parsed.plays, guard))).toEqual([]);
  }
});
