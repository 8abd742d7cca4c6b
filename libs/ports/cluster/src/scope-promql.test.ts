import { expect, test } from "vitest";
import { scopePromql } from "./scope-promql.ts";

const ns = 'namespace="shop"';

test.each([
  ["up", `up{${ns}}`],
  ['up{job="x"}', `up{job="x",${ns}}`],
  ['{__name__=~"container_.*"}', `{__name__=~"container_.*",${ns}}`],
  ["up{}", `up{${ns}}`],
  ['up{namespace="other",}', `up{namespace="other",${ns}}`],
  ["rate(http_requests_total[5m])", `rate(http_requests_total{${ns}}[5m])`],
  [
    "sum by (pod, namespace) (a:b) / on(pod) group_left(node) c",
    `sum by (pod, namespace) (a:b{${ns}}) / on(pod) group_left(node) c{${ns}}`,
  ],
  ["sum(x) by (pod) > bool 0.5", `sum(x{${ns}}) by (pod) > bool 0.5`],
  ['label_replace(up, "a", "$1", "b", "(.*)")', `label_replace(up{${ns}}, "a", "$1", "b", "(.*)")`],
  [
    "max_over_time(up[1h:5m] offset 1d) and on() vector(1)",
    `max_over_time(up{${ns}}[1h:5m] offset 1d) and on() vector(1)`,
  ],
  ['up{a="}{"} # up', `up{a="}{",${ns}} # up`],
  ["1e3 + 0x1f + Inf", "1e3 + 0x1f + Inf"],
  ["by", "by"],
  ["topk(3, by_cpu)", `topk(3, by_cpu{${ns}})`],
])("%s sees the namespace alone", (query, scoped) => {
  expect(scopePromql(query, "shop")).toBe(scoped);
});

test.each(['up{a="b"', 'up{a="b', "up}", "sum by (pod", 'up{a="b" or namespace="other"}'])(
  "%s is refused instead of guessed at",
  (query) => {
    expect(() => scopePromql(query, "shop")).toThrow(TypeError);
  },
);
