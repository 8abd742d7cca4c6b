import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Behaviour, CallSpec, VolumeSpec } from "./format.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../../docs/own-system.md"), "utf8");

test("the page on environments names every value that only a list gives: runtimes, protocols, kinds of volumes", () => {
  const kinds = VolumeSpec.options.map(({ shape }) => shape.type.value);
  const values = [...Behaviour.shape.runtime.options, ...CallSpec.shape.protocol.options];
  const missing = values.filter((value) => !page.includes(`\`${value}\``));
  expect(missing).toEqual([]);
  expect(kinds.filter((kind) => !page.includes(`type: ${kind}`))).toEqual([]);
});
