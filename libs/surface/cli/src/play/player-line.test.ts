import { expect, test } from "vitest";
import { completionsOf, helpText, type PlayedTool, readPlayerLine } from "./player-line.ts";

const tools: readonly PlayedTool[] = [
  {
    name: "exec_shell",
    description: "Run a command. It is short.",
    parameters: {
      properties: { command: { type: "string", description: "The command" } },
      required: ["command"],
    },
  },
  {
    name: "get_logs",
    description: "Get logs.",
    parameters: {
      properties: { of: { type: "string" }, lines: { type: "integer" }, level: { enum: ["error", "info"] } },
      required: ["of"],
    },
  },
  {
    name: "submit",
    description: "Hand in the answer.",
    parameters: {
      properties: {
        causes: {
          type: "array",
          description: "The causes",
          items: {
            type: "object",
            properties: {
              object: {
                type: "object",
                description: "The object",
                properties: { kind: { type: "string" }, name: { type: "string" } },
                required: ["kind", "name"],
              },
              mechanism: { enum: ["wrong-route", "unschedulable"] },
            },
            required: ["object", "mechanism"],
          },
        },
        why: { type: "string" },
      },
      required: ["causes"],
    },
  },
];
const read = (line: string) =>
  readPlayerLine(line, tools, (path) => (path === "fix.yml" ? "- hosts: all" : undefined));

test.each<[string, string, Record<string, unknown>]>([
  ["exec_shell kubectl get pods -o wide", "exec_shell", { command: "kubectl get pods -o wide" }],
  ["exec_shell @fix.yml", "exec_shell", { command: "- hosts: all" }],
  ['exec_shell command="a b"', "exec_shell", { command: "a b" }],
  ["  get_logs of=cart lines=5 level=error ", "get_logs", { of: "cart", lines: 5, level: "error" }],
  [`get_logs of='a "b"' lines=7`, "get_logs", { of: 'a "b"', lines: 7 }],
  ['get_logs {"of": "cart"}', "get_logs", { of: "cart" }],
  [
    'submit causes=[{"object": {"kind": "Service", "name": "a ] b"}, "mechanism": "wrong-route"}] why="so be it"',
    "submit",
    {
      causes: [{ object: { kind: "Service", name: "a ] b" }, mechanism: "wrong-route" }],
      why: "so be it",
    },
  ],
])("%s is a call", (line, name, args) => {
  expect(read(line)).toEqual({ kind: "call", name, args });
});

test.each([
  ["get_log of=cart", /there is no tool "get_log"; did you mean "get_logs"\?/],
  ["kubectl get pods", /a command is run with exec_shell kubectl/],
  ["get_logs", /^get_logs needs of="\.\.\."; type help get_logs$/],
  ["get_logs cart", /write get_logs of=<value>/],
  ["get_logs {of: cart}", /no JSON/],
  ["get_logs of=@none.yml", /cannot read none.yml/],
  ["get_logs of=cart lines=abc", /^lines=abc: expected integer; type help get_logs$/],
  ["get_logs of=cart level=loud", /expected error \| info/],
  ["submit causes=cart", /^causes=cart: expected array in JSON, such as \[\{"object":/],
  ['submit causes=[{"object":{"kind":"Service"}}]', /^causes\[0\]\.mechanism is missing/],
  [
    'submit {"causes":[{"object":{"kind":"Service"},"mechanism":"slow"}]}',
    /^causes\[0\]\.object\.name is missing/,
  ],
  ["get_logs off=cart", /get_logs has no argument "off"; it takes of, lines, level/],
])("%s is explained", (line, why) => {
  expect(read(line)).toEqual({ kind: "wrong", why: expect.stringMatching(why) });
});

test("help and quit are words of their own; help lists the tools, or the arguments of one", () => {
  expect(read("help get_logs")).toEqual({ kind: "help", about: "get_logs" });
  expect(read("quit")).toEqual({ kind: "quit" });
  expect(helpText(tools, undefined)).toContain("exec_shell         Run a command.\n");
  expect(helpText(tools, "get_logs")).toBe(
    "Get logs.\n  of: string.\n  lines (optional): integer.\n  level (optional): error | info.",
  );
});

test("completes tools, arguments and choices", () => {
  expect(completionsOf("g", tools)).toEqual(["get_logs"]);
  expect(completionsOf("help e", tools)).toEqual(["exec_shell"]);
  expect(completionsOf("get_logs l", tools)).toEqual(["lines=", "level="]);
  expect(completionsOf("get_logs level=e", tools)).toEqual(["level=error"]);
});

test("help of a tool that takes lists of objects has their fields, and an example that is a call", () => {
  const text = helpText(tools, "submit");
  const example = 'submit causes=[{"object":{"kind":"...","name":"..."},"mechanism":"wrong-route"}]';
  expect(text).toBe(`Hand in the answer.
  causes: list of object. The causes
    object: object. The object
      kind: string.
      name: string.
    mechanism: wrong-route | unschedulable.
  why (optional): string.
For example: ${example}`);
  expect(read(example)).toMatchObject({ kind: "call", name: "submit" });
});
