import { expect, test } from "vitest";
import { wrongInJq } from "./jq-paths.ts";

test.each([
  "del(.a, .b)",
  "del(.metadata.uid,.status) | .x",
  'del(.c[] | select(.name == "x"))',
  "del(.c[].env)",
  "del(.c[1:])",
  "del(.[0, 2])",
  "del(..|.status?)",
  '(.c[] | select(.name == "x")).image = "a:1"',
  '(.c[] | select(.name == "x") | .image) |= "a:1"',
  "(.a, .b) += 1",
  "[path(.a[] | select(.x))]",
  'walk(if type == "object" then del(.uid) else . end)',
])("%s is refused", (program) => {
  expect(wrongInJq(program)).toBeDefined();
});

test.each([
  "del(.metadata.uid)",
  "del(.a) | del(.b[0])",
  'del(.metadata.annotations["a/b"])',
  'del(.metadata."a-b"?)',
  "del(.c[$at])",
  ".c |= map(del(.env))",
  '.c |= map(if .name == "x" then .image = "a:1" else . end)',
  ".c[].image = 1",
  "(.a.b) = 1",
  '.items[] | select((.status.phase) == "Running") | .metadata.name',
  '"del(.a, .b) (x) = 1"',
  'select(.name == "a,b") | .x = 1',
  ".a == (.b) and (.c) != 1",
  "[paths]",
])("%s is taken", (program) => {
  expect(wrongInJq(program)).toBeUndefined();
});
