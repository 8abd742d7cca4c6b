import { expect, test } from "vitest";
import { classOfField } from "./field-rules.ts";
import { changedFields } from "./fields.ts";

const ofFlags = (state: string, defaultVariant: string): object => ({
  flags: { slow: { state, variants: { on: true, off: false }, defaultVariant } },
});
const declared = JSON.stringify(ofFlags("ENABLED", "off"), undefined, 2);
const context = {
  isTarget: false,
  resourcesMayDiffer: false,
  keepsData: false,
  leavesNodes: false,
  lateProbes: new Set<string>(),
  isSamePort: () => false,
};
const aConfigMap = (text: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "flags" },
  data: { "flags.json": text },
});
/** Classes of what is other than declared. */
const classesOf = (text: string): string[] =>
  changedFields(aConfigMap(declared), aConfigMap(text)).map((field) =>
    classOfField("ConfigMap", field, context),
  );

test.each<[what: string, text: string, classes: string[]]>([
  ["the same in other spaces", JSON.stringify(ofFlags("ENABLED", "off")), []],
  [
    "the same in another order",
    '{"flags":{"slow":{"defaultVariant":"off","variants":{"off":false,"on":true},"state":"ENABLED"}}}',
    [],
  ],
  ["a flag that is off by being disabled", JSON.stringify(ofFlags("DISABLED", "on")), ["changed"]],
  ["a flag that is on", JSON.stringify(ofFlags("ENABLED", "on")), ["breaks"]],
  ["a text that is cut off", declared.slice(0, -3), ["breaks"]],
  ["nothing", "", ["breaks"]],
])("a file of flags with %s", (_, text, classes) => {
  expect(classesOf(text)).toEqual(classes);
});
