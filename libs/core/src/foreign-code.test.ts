import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const module = JSON.stringify(fileURLToPath(new URL("foreign-code.ts", import.meta.url)));

/** A process of its own: here the test runner has listeners. */
function run(body: string) {
  const code = `
    import { containForeignErrors, runForeign, runOwn } from ${module};
    const first = containForeignErrors((owner, thrown) => console.log(owner, String(thrown)));
    const second = containForeignErrors(() => {});
    setTimeout(() => { first[Symbol.dispose](); second[Symbol.dispose](); console.log("alive"); }, 100);
    ${body}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  return { status, stdout: stdout.trim().split("\n"), stderr };
}

test("what foreign code leaves unhandled, or throws in a callback, ends no process", () => {
  const { status, stdout } = run(`
    runForeign("agent A", () => {
      void Promise.reject(new Error("one"));
      setTimeout(() => { throw new Error("two"); }, 1);
      setTimeout(() => void (async () => { await null; throw "three"; })(), 10);
    });`);
  expect(status).toBe(0);
  expect(stdout).toEqual(["agent A Error: one", "agent A Error: two", "agent A three", "alive"]);
});

test.each([
  ["a rejection", `void Promise.reject(new Error("own"));`],
  ["an error in a callback", `setTimeout(() => { throw new Error("own"); }, 1);`],
  [
    "one for which foreign code has called",
    `runForeign("agent A", () => runOwn(() => void Promise.reject(new Error("own"))));`,
  ],
])("%s of the product's own ends it", (_, body) => {
  const { status, stdout, stderr } = run(body);
  expect(status).toBe(1);
  expect(stdout).toEqual([""]);
  expect(stderr).toContain("Error: own");
});
