import { expect, test } from "vitest";
import { outdatedExplanations } from "./explained.ts";

test("an explanation is outdated when what it names agrees, or is not there any more", () => {
  const known = new Map(["differs", "agrees", "renamed", "not compared"].map((name) => [name, "because"]));
  const differs = new Map([
    ["differs", true],
    ["agrees", false],
    ["new name", true],
    ["not compared", undefined],
  ]);
  expect(outdatedExplanations(known, differs)).toEqual(["agrees", "renamed"]);
});
