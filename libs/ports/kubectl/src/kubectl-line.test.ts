import { expect, test } from "vitest";
import { lastValue, readKubectlLine } from "./kubectl-line.ts";

const read = (text: string) => readKubectlLine(text.split(" "));

test.each([
  ["-n shop get pods -o wide", "get", ["pods"], { namespace: "shop", output: "wide" }],
  [
    "get pods -nshop --output=json -A",
    "get",
    ["pods"],
    { namespace: "shop", output: "json", "all-namespaces": "true" },
  ],
  ["logs -f cart-0 -p --tail 5", "logs", ["cart-0"], { follow: "true", previous: "true", tail: "5" }],
  ["patch deploy x -p {}", "patch", ["deploy", "x"], { patch: "{}" }],
  ["apply -f -", "apply", [], { filename: "-" }],
  ["top pod --containers x", "top", ["pod", "x"], { containers: "true" }],
  ["set env deploy/x --containers main A=1", "set", ["env", "deploy/x", "A=1"], { containers: "main" }],
  ["delete pod x --dry-run --cascade y", "delete", ["pod", "x", "y"], { "dry-run": "true", cascade: "true" }],
  ["delete pod x --dry-run=client", "delete", ["pod", "x"], { "dry-run": "client" }],
  ["get --wath pods -Z y", "get", ["pods", "y"], { wath: "true", "-Z": "true" }],
])("%s", (line, verb, operands, flags) => {
  const found = read(line);
  expect(found).toMatchObject({ verb, operands, command: undefined });
  expect(Object.fromEntries(found.flags.map(({ name, value }) => [name, value]))).toEqual(flags);
});

test("letters in a row, what follows two dashes, a value that is missing, no verb", () => {
  const exec = read("exec -itc main cart-0 -- ls -n x");
  expect(exec).toMatchObject({ verb: "exec", operands: ["cart-0"], command: ["ls", "-n", "x"] });
  expect(exec.flags.map(({ name }) => name)).toEqual(["stdin", "tty", "container"]);
  expect(lastValue(exec, "container")).toBe("main");
  expect(read("get pods -n").flags).toEqual([{ name: "namespace", value: undefined, word: "-n" }]);
  expect(readKubectlLine([])).toMatchObject({ verb: "", operands: [], flags: [] });
});
