import { expect, test } from "vitest";
import { exportedIn, seriesIn } from "./promql.ts";

test("finds the metrics of an expression and the labels that it asks for", () => {
  const ratio = `sum by (model) (rate(calls_total{outcome!="ok, (not)"}[5m])) / on (model) max(limit) > 0.5 or vector(0)`;
  expect(seriesIn(ratio)).toEqual([
    { metric: "calls_total", labels: ["outcome", "model"] },
    { metric: "limit", labels: ["model"] },
  ]);
  expect(seriesIn("histogram_quantile(0.95, sum by (le) (rate(x_bucket[1m])))")).toEqual([
    { metric: "x_bucket", labels: ["le"] },
  ]);
});

test("reads what is exported", () => {
  const text = '# TYPE a counter\na{x="1",y="{}"} 2\na{z="3"} 1\nb 1e-3\n';
  expect(Object.fromEntries(exportedIn(text))).toEqual({ a: new Set(["x", "y", "z"]), b: new Set() });
});
