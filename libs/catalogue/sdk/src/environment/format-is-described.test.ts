import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Behaviour, CallSpec, Ending, FlagEffect, JobModel, Model, WorkloadModel } from "./format.ts";
import { LoadFormat } from "./load-format.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../../docs/own-system.md"), "utf8");

test("the page on environments names every key, and every value that only a list gives", () => {
  const keys = [Behaviour, CallSpec, Ending, FlagEffect, JobModel, LoadFormat, Model, WorkloadModel].flatMap(
    ({ shape }) => Object.keys(shape),
  );
  const values = [...Behaviour.shape.runtime.options, ...CallSpec.shape.protocol.options];
  expect([...keys, ...values].filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});
