import type { Loose } from "@microremed/sim-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExpression } from "./expression.ts";
import { ruleViolations } from "./rule-violations.ts";

const integer = { type: "integer" };
const text = { type: "string" };
const object = (properties: object, ...rules: (string | object)[]) => ({
  type: "object",
  properties,
  "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});
const spec = (properties: object, ...rules: (string | object)[]) => ({
  type: "object",
  properties: { spec: object(properties, ...rules) },
});
const broken = (schema: object, value: Loose, old?: Loose) =>
  ruleViolations(schema, { spec: value }, old === undefined ? undefined : { spec: old }).map(
    ({ field, message }) => `${field}: ${message}`,
  );

test("says which rule failed, with the rule, its message, or what an expression makes of it", () => {
  const rule = "self.min <= self.max";
  const numbers = { min: integer, max: integer };
  const value = { min: 3, max: 2 };
  const said = (more: object) => broken(spec(numbers, { rule, ...more }), value);
  expect(broken(spec(numbers, rule), { min: 2, max: 2 })).toEqual([]);
  expect(said({})).toEqual([`spec: Invalid value: "object": failed rule: ${rule}`]);
  expect(said({ message: "min above max" })).toEqual([`spec: Invalid value: "object": min above max`]);
  const messageExpression = "'max is ' + string(self.max)";
  expect(said({ message: "m", messageExpression })).toEqual([`spec: Invalid value: "object": max is 2`]);
  expect(said({ messageExpression: "string(self.nothing)" })[0]).toContain("failed rule");
});

test("gives the reason and the field that a rule names", () => {
  const rule = { rule: "false", message: "no", fieldPath: ".min" };
  const causes = (reason: string) =>
    ruleViolations(spec({ min: integer }, { ...rule, reason }), { spec: { min: 1 } }, undefined);
  expect(causes("FieldValueForbidden")).toEqual([
    { reason: "FieldValueForbidden", message: "Forbidden: no", field: "spec.min" },
  ]);
  expect(causes("FieldValueRequired")[0]?.message).toBe("Required value: no");
  expect(causes("FieldValueDuplicate")[0]?.message).toBe('Duplicate value: "object"');
});

test("judges changes by oldSelf, and what is new or stays as it is not at all", () => {
  const immutable = spec({ name: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } });
  expect(broken(immutable, { name: "a" })).toEqual([]);
  expect(broken(immutable, { name: "b" }, { name: "a" })).toEqual([
    'spec.name: Invalid value: "string": failed rule: self == oldSelf',
  ]);
  const small = spec({
    size: { ...integer, "x-kubernetes-validations": [{ rule: "self < 5" }] },
    other: text,
  });
  expect(broken(small, { size: 9, other: "b" }, { size: 9, other: "a" })).toEqual([]);
  expect(broken(small, { size: 8 }, { size: 9 })).toHaveLength(1);
  const optional = spec(
    { size: integer },
    { rule: "!oldSelf.hasValue() || self.size >= oldSelf.value().size", optionalOldSelf: true },
  );
  expect(broken(optional, { size: 1 })).toEqual([]);
  expect(broken(optional, { size: 1 }, { size: 2 })).toHaveLength(1);
});

test("follows elements of a list by their keys", () => {
  const item = object({ name: text, port: integer }, "self.port == oldSelf.port");
  const list = {
    type: "array",
    items: item,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  };
  const before = {
    list: [
      { name: "a", port: 1 },
      { name: "b", port: 2 },
    ],
  };
  const after = {
    list: [
      { name: "b", port: 3 },
      { name: "c", port: 4 },
      { name: "a", port: 1 },
    ],
  };
  expect(broken(spec({ list }), after, before)).toEqual([
    'spec.list[0]: Invalid value: "object": failed rule: self.port == oldSelf.port',
  ]);
});

test.each([
  ["has(self.s) && self.s.startsWith('a')", true],
  ["self.list.all(x, x > 0) && self.list.isSorted() && self.list.sum() == 6", true],
  ["self.map.all(key, self.map[key] != '') && 'k' in self.map", true],
  ["self.x__dash__y.size() == 1 && self.__namespace__ == 'n'", true],
  ["type(self.port) == int ? self.port > 79 : self.port == 'http'", true],
  ["self.half * 2.0 == 1.0 && self.whole == 2.0 && self.whole > 1", true],
  ["self.at > timestamp('2020-01-01T00:00:00Z') && self.wait < duration('2h')", true],
  ["quantity(self.memory).isLessThan(quantity('1Gi'))", true],
  ["sets.contains(self.list, [1, 2]) && !sets.intersects(self.list, [9])", true],
  ["self.?missing.orValue('d') == 'd'", true],
  ["'a-b'.replace('-', '+').find('[+]') == '+' && url('https://h:1/p').getPort() == '1'", true],
  ["self.nothingDeclared == 1", "no such key: nothingDeclared evaluating rule"],
  ["self.list[7] == 1", "evaluating rule"],
  ["self.s > 1", "'no such overload': call arguments did not match"],
  ["self.cidrs.exists(c, cidr(c).containsIP('10.0.0.1'))", true],
])("evaluates %s", (rule, expected) => {
  const schema = spec(
    {
      s: text,
      list: { type: "array", items: integer },
      map: { type: "object", additionalProperties: text },
      "x-y": text,
      namespace: text,
      port: { "x-kubernetes-int-or-string": true },
      half: { type: "number" },
      whole: { type: "number" },
      at: { type: "string", format: "date-time" },
      wait: { type: "string", format: "duration" },
      memory: text,
      cidrs: { type: "array", items: text },
    },
    rule,
  );
  const value = {
    s: "abc",
    list: [1, 2, 3],
    map: { k: "v" },
    "x-y": "1",
    namespace: "n",
    port: 80,
    half: 0.5,
    whole: 2,
    at: "2026-01-01T00:00:00Z",
    wait: "1h30m",
    memory: "64Mi",
    cidrs: ["10.0.0.0/8"],
    undeclared: 1,
  };
  if (expected === true) expect(broken(schema, value)).toEqual([]);
  else expect(broken(schema, value)[0]).toContain(expected);
});

test("stops at a bound before an expensive rule runs", () => {
  const rule = "self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))";
  const list = Array.from({ length: 1000 }, (_, index) => index);
  const said = broken(spec({ list: { type: "array", items: integer } }, rule, "false"), { list });
  expect(said).toEqual([
    'spec: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

test("takes any text for an expression, or says what is wrong with it", () => {
  expect(parseExpression("self.a ==")).toMatchObject({ text: expect.stringContaining("Syntax error") });
  expect(parseExpression("slef.a == 1")).toEqual({
    text: "undeclared reference to 'slef' (in container '')",
    at: 0,
  });
  fc.assert(fc.property(fc.string(), (text) => void parseExpression(text)));
});
