import { lagsIn } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { judgeLag, judgePods, lagSymptom } from "./index.ts";

const broker = "kafka-0";
const groups = (lag: number) => [
  {
    broker,
    groups: new Map([
      ["billing", 0],
      ["fraud", lag],
    ]),
  },
];

test.each<[what: string, readings: Parameters<typeof judgeLag>[0], passed: boolean]>([
  ["groups that have read nearly all", groups(100), true],
  ["a group that is behind", groups(101), false],
  ["a broker that could not be asked", [{ broker, groups: null }], false],
  ["a broker without consumer groups", [{ broker, groups: new Map() }], false],
  ["a broker that is gone", [], false],
])("%s", (_, readings, passed) => {
  expect(judgeLag(readings, 0).passed).toBe(passed);
});

test("an environment without a broker needs its target", () => {
  expect([judgePods("cart", 1, 0).passed, judgePods("cart", 0, 0).passed]).toEqual([true, false]);
});

test("the symptom shows where a group is far behind, and not where nothing could be measured", () => {
  expect(lagSymptom(groups(5000), 0)).toMatchObject({ shows: true });
  expect(lagSymptom(groups(500), 0)).toMatchObject({ shows: false });
  expect(lagSymptom([{ broker, groups: null }], 0)).toMatchObject({ shows: false });
});

test("reads what Kafka's tool prints, partitions added up", () => {
  const text = `
GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
fraud  orders 0          10              15              5    consumer-1   /10.0.0.1  consumer-1
fraud  orders 1          10              12              2    consumer-1   /10.0.0.1  consumer-1

GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
billing orders 0         27              27              0    -            -     -
`;
  expect([...lagsIn(text)]).toEqual([
    ["fraud", 7],
    ["billing", 0],
  ]);
});
