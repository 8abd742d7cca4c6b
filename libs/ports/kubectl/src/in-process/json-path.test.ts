import { expect, test } from "vitest";
import { printJsonPath } from "./json-path.ts";

const list = {
  items: [
    {
      metadata: { name: "a", labels: { "app.kubernetes.io/name": "x" } },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    },
    { metadata: { name: "b" }, status: { replicas: 0 } },
  ],
};

test.each([
  ["{.items[*].metadata.name}", "a b"],
  ["{.items[0].metadata.name}", "a"],
  ["{.items[-1:].metadata.name}", undefined],
  [`{range .items[*]}{.metadata.name}{"\\t"}{end}`, "a\tb\t"],
  ['{.items[0].status.conditions[?(@.type=="Ready")].status}', "True"],
  ["{.items[0].metadata.labels.app\\.kubernetes\\.io/name}", "x"],
  ["{.items[1].status.replicas}", "0"],
  ["{..name}", "a b"],
  ["{.items[0].constructor}{.items[0].none}", ""],
  [".items[1].metadata.name", "b"],
])("%s", (template, printed) => {
  if (printed === undefined)
    expect(() => printJsonPath(template, list)).toThrow(/does not know the JSONPath/);
  else expect(printJsonPath(template, list)).toBe(printed);
});
