import { expect, test } from "vitest";
import { evaluateExpression } from "./expression.ts";
import { render } from "./render.ts";

const variables = {
  n: 3,
  text: "a,b",
  list: [{ name: "x", up: true }, { name: "y" }],
  deep: { a: { b: [10, 20] } },
  result: { failed: false, changed: true, stdout: "ok" },
};

test.each([
  ["n + 1 * 2", 5],
  ["(n | int) >= 3 and not n == 4", true],
  ["deep.a.b[1] + deep['a'].b[0]", 30],
  ["nothing is defined", false],
  ["nothing.at.all is not defined", true],
  ["nothing | default('else')", "else"],
  ["nothing is defined and nothing.at > 1", false],
  ["nothing is not defined or nothing.at > 1", true],
  ["1 if true else nothing.at", 1],
  ["n == 4 or n == 5 or n == 3", true],
  ["deep.missing.more | default(7)", 7],
  ["text.split(',') | last", "b"],
  ["list | map('attribute', 'name') | join(' ')", "x y"],
  ["list | selectattr('up', 'defined') | list | length", 1],
  ["'b' in text and 'z' not in text", true],
  ["result is succeeded and result is changed", true],
  ["'yes' if n > 5 else 'no'", "no"],
  ["{'k': n}", { k: 3 }],
  ["'{\"a\": [1]}' | from_json", { a: [1] }],
])("%s", (expression, value) => {
  expect(evaluateExpression(expression, variables)).toEqual(value);
});

test.each([
  "deep.constructor",
  "deep['__proto__']",
  "text.constructor",
  "list.constructor",
  "''.constructor",
])("%s is nothing: only data is reached", (expression) => {
  expect(evaluateExpression(`${expression} is defined`, variables)).toBe(false);
});

test.each(["lookup('file', '/etc/passwd')", "text.format(n)", "n | b64encode", "''.__class__()"])(
  "%s is said to be beyond the interpreter",
  (expression) => {
    expect(() => evaluateExpression(expression, variables)).toThrow(/playbooks in process cannot use/);
  },
);

test("what is not there is an error in Ansible's words", () => {
  expect(() => render("{{ nothing }}", variables)).toThrow(/'nothing' is undefined/);
  expect(() => render("a {{ deep.none }}", variables)).toThrow(/has no attribute 'none'/);
});

test("a template alone keeps its type, in text it is printed", () => {
  expect(render({ a: "{{ n }}", b: ["n={{ n }}"], c: "{{ list }}" }, variables)).toEqual({
    a: 3,
    b: ["n=3"],
    c: variables.list,
  });
});
