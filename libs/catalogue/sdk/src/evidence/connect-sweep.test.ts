import { expect, test } from "vitest";
import { connectSweep } from "./connect-sweep.ts";
import { isCall } from "./evidence.ts";

const pods = ["front", "cart", "store"].map((name, at) => ({ name, ip: `10.0.0.${at + 1}` }));
const ports = "front 80\ncart 8080\nstore 6379";
const times = (kind: string, all: readonly number[]): string =>
  all.map((time) => `${kind} ${time.toFixed(6)}`).join("\n");
const longer = (quick: readonly number[], slow: readonly number[]): string =>
  `${times("quick", quick)}\n${times("slow", slow)}`;

/** What is found by these answers in their order, the first of which says who has curl; each further one is asked for. */
function found(who: string, ...answers: readonly string[]) {
  for (let asked = 0; asked < answers.length; asked += 1)
    expect(isCall(connectSweep(pods, who, answers.slice(0, asked)))).toBe(true);
  const step = connectSweep(pods, who, answers);
  return isCall(step)
    ? step
    : step.map(({ pod, share, rttMs }) => [pod.name, share, rttMs && Math.round(rttMs)]);
}

test("where all answer in time nothing is found, and without curl nothing is asked", () => {
  expect(found("curl: front web", ports, "")).toEqual([]);
  expect(found("")).toEqual([]);
});

test("a late pod is asked longer: late alike is a delay, late by chance are lost packets", () => {
  const first = ["curl: front web", ports, "late: 10.0.0.2\n"] as const;
  const late = Array(10).fill(0) as number[];
  expect(found(...first, longer(late, [0.6, 0.65]))).toEqual([["cart", 1, 600]]);
  expect(found(...first, longer([0.002, 0, 0.002, 0, 0], [1.002, 0.002]))).toEqual([["cart", 0.4, 2]]);
  expect(found(...first, longer(late, [1.4, 0]))).toEqual([["cart", 0, null]]);
});

test("where hardly any pod answers in time it is the asking one, which another one asks", () => {
  const all = "late: 10.0.0.2\nlate: 10.0.0.3\n";
  expect(found("curl: front web", ports, all, longer(Array(10).fill(0), [1, 1]))).toEqual([
    ["front", 1, 1000],
  ]);
  const other = ["late: 10.0.0.1\n", longer(Array(10).fill(0), [1, 1])] as const;
  expect(found("curl: front web\ncurl: cart main", ports, all, ...other)).toEqual([["front", 1, 1000]]);
});
