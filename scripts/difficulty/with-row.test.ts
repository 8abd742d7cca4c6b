import { expect, test } from "vitest";
import { withRow } from "./with-row.ts";

const page = `# Title

| fault | strength | noop | measured |
| --- | --- | --- | --- |
| \`b\` | own values | 0/1 | monday |
| \`b\` | strong | 0/1 | monday |
| \`gone\` | own values | 0/1 | monday |
`;
const known = [
  ["`a`", "own values"],
  ["`b`", "own values"],
  ["`b`", "strong"],
];

test("a new row comes in the order of the faults, and the others stay", () => {
  expect(withRow(page, ["`a`", "own values", "1/1", "friday"], known)).toEqual([
    ["`a`", "own values", "1/1", "friday"],
    ["`b`", "own values", "0/1", "monday"],
    ["`b`", "strong", "0/1", "monday"],
  ]);
});

test("a row that is measured again takes the place of the old one", () => {
  expect(withRow(page, ["`b`", "strong", "1/1", "friday"], known)).toEqual([
    ["`b`", "own values", "0/1", "monday"],
    ["`b`", "strong", "1/1", "friday"],
  ]);
});
