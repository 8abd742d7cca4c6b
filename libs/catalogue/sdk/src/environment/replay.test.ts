import { expect, test } from "vitest";
import { meanRate, readReplay, replayedAt } from "./replay.ts";

const read = (text: string) => {
  const rows = readReplay(text);
  if (typeof rows === "string") throw new Error(rows);
  return rows;
};

test("rates hold until the next one, and the whole begins again", () => {
  const rows = read("at,rate\n0,2\n10,8\n");
  expect([0, 9.9, 10, 19.9, 20].map((at) => replayedAt(rows, at).perSecond)).toEqual([2, 2, 8, 8, 2]);
  expect(meanRate(rows)).toBe(5);
});

test("requests are counted by the second, in either format", () => {
  const csv = read('at,path\r\n0.2,/a\r\n0.3,"/b?x=1,2"\r\n2.5,/a\r\n');
  const json = ['{"at":0.2,"path":"/a"}', '{"at":0.3,"path":"/b?x=1,2"}', '{"at":2.5,"path":"/a"}'];
  expect(read(json.join("\n"))).toEqual(csv);
  expect([0, 1, 2, 3].map((at) => replayedAt(csv, at).perSecond)).toEqual([2, 0, 1, 2]);
  expect(replayedAt(csv, 0).shares).toEqual(
    new Map([
      ["/a", 0.5],
      ["/b?x=1,2", 0.5],
    ]),
  );
});

test.each([
  ["", "expected the head at,rate or at,path"],
  ["time,rate\n0,1", "expected the head"],
  ["at,rate\n", "expected a line at least"],
  ["at,rate\n0,0", "expected a rate above 0 somewhere"],
  ["at,rate\n0,1\n5,1\n4,1", `line 4, "4,1": expected seconds that do not go back behind 5`],
  ["at,rate\n0,1\n5,1\n5,2", `line 4, "5,2": expected seconds after 5, for which there is a rate already`],
  ["at,rate\n5,1", `line 2, "5,1": expected the rate from 0 seconds on`],
  ["at,path\n61,/", `line 2, "61,/": expected a request in the first 60 seconds`],
  ["at,rate\n0,-1", "line 2, "],
  ["at,rate\n0,", "line 2, "],
  ['{"at":0,"rate":1}\n{"at":1,"path":"/"}', "line 2, "],
  ['{"at":0,"rate":1}\nnull', "line 2, "],
])("%j is refused", (text, problem) => {
  expect(readReplay(text)).toContain(problem);
});

test("a file of very many lines is refused", () => {
  expect(readReplay(`at,rate\n${"0,1\n".repeat(100_001)}`)).toMatch(/^expected at most 100000 lines/);
});
