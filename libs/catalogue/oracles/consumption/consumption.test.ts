import { endsIn, offsetsIn } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { heldGroups, judgeConsumption, judgePods } from "./index.ts";

const broker = "kafka-0";
/** A broker with a group at an offset, and what there is of its results. */
const reading = (offset: number, end: number, done = offset) => [
  {
    broker,
    found: {
      groups: [
        { group: "audit", topic: "orders", offset: end, end },
        { group: "billing", topic: "orders", offset, end },
      ],
      ends: new Map([
        ["orders", end],
        ["billing.done", done],
      ]),
    },
  },
];
const baseline = { "messages left out by billing": 0, replicas: 1 };

test.each([
  ["a group that goes on", reading(5, 9), reading(8, 12), true],
  ["one for which nothing waits", reading(9, 9), reading(9, 9), true],
  ["one for which something has just come", reading(9, 9), reading(9, 10), true],
  ["one that takes nothing", reading(5, 9), reading(5, 9), false],
  ["one that has left one message out", reading(5, 9), reading(8, 12, 7), true],
  ["one that has left more out", reading(5, 9), reading(8, 12, 6), false],
  ["one that has not written its offset yet", reading(5, 9), reading(8, 12, 9), true],
  ["one that has begun again", reading(5, 9), reading(6, 12, 20), false],
  ["a broker without groups", reading(5, 9), [{ broker, found: { groups: [], ends: new Map() } }], false],
  ["a broker that could not be asked", reading(5, 9), [{ broker, found: null }], false],
  ["a broker that is gone", reading(5, 9), [], false],
] as const)("%s", (_, before, after, passed) => {
  expect(judgeConsumption({ before, after }, baseline, 0).passed).toBe(passed);
});

test("where results were written before there must be some", () => {
  const [{ found }] = reading(8, 12) as [ReturnType<typeof reading>[number]];
  const after = [{ broker, found: { ...found, ends: new Map() } }];
  expect(judgeConsumption({ before: reading(5, 9), after }, baseline, 0).passed).toBe(false);
  expect(judgeConsumption({ before: reading(5, 9), after }, {}, 0).passed).toBe(true);
});

test("the symptom shows where an offset does not move while messages come", () => {
  const shows = (before: number, after: number, end: number) =>
    heldGroups({ before: reading(before, 9), after: reading(after, end) }, 0).shows;
  expect(shows(5, 5, 12)).toBe(true);
  expect(shows(5, 6, 12)).toBe(false);
  expect(shows(5, 5, 9)).toBe(false);
  expect(shows(9, 9, 12)).toBe(false);
});

test("an environment without a broker needs its target", () => {
  expect([judgePods("cart", 1, 0).passed, judgePods("cart", 0, 0).passed]).toEqual([true, false]);
});

test("reads what Kafka's tools print, partitions added up", () => {
  const text = `
GROUP    TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
billing  orders  0          10              15              5    -            -     -
billing  orders  1          4               6               2    -            -     -
orders:0:15
orders:1:6
billing.done:0:14
`;
  expect(offsetsIn(text)).toEqual([{ group: "billing", topic: "orders", offset: 14, end: 21 }]);
  expect([...endsIn(text)]).toEqual([
    ["orders", 21],
    ["billing.done", 14],
  ]);
});
