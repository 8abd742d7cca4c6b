import { expect, test } from "vitest";
import { createExposition } from "./exposition.ts";

test("writes families in Prometheus' text format, labels escaped", () => {
  const out = createExposition();
  out.counter("a_total", "Help.", { b: 'say "hi"\n', c: undefined }, 1.5);
  out.histogram("d_seconds", "Durations.", { e: "f" }, { buckets: [[0.1, 2]], count: 3, sum: 0.9 });
  out.counter("a_total", "Help.", {}, 2);
  expect(out.text()).toBe(
    [
      "# HELP a_total Help.",
      "# TYPE a_total counter",
      'a_total{b="say \\"hi\\"\\n"} 1.5',
      "a_total 2",
      "# HELP d_seconds Durations.",
      "# TYPE d_seconds histogram",
      'd_seconds_bucket{e="f",le="0.1"} 2',
      'd_seconds_bucket{e="f",le="+Inf"} 3',
      'd_seconds_sum{e="f"} 0.9',
      'd_seconds_count{e="f"} 3',
      "",
    ].join("\n"),
  );
});
