import { expect, test } from "vitest";
import { programOf, sleepSeconds } from "./program.ts";

const sh = (script: string, init = false) => programOf(["sh", "-c", script], {}, undefined, init);

test.each([
  ["sleep infinity", { type: "serves" }],
  ["while true; do date; sleep 5; done", { type: "serves" }],
  ["echo done; exit 3", { type: "ends", ms: 200, exitCode: 3 }],
  ["sleep 2m", { type: "ends", ms: 120_200, exitCode: 0 }],
  ["/opt/own-server --port 80", { type: "serves" }],
])("%s", (script, program) => {
  expect(sh(script)).toEqual(program);
});

test("an init container that asks for an address waits for it, again and again only in a loop", () => {
  const waits = { type: "waits", host: "db", port: 5432, http: false, path: "/" };
  expect(sh("until nc -z db 5432; do sleep 3; done", true)).toEqual({ ...waits, retryMs: 3000 });
  expect(sh("nc -z db 5432", true)).toEqual({ ...waits, retryMs: undefined });
});

test("an init container that asks the API server does what its script says", () => {
  const script = "curl -sk https://kubernetes.default.svc/version | grep v1 || exit 3";
  expect(sh(script, true)).toMatchObject({ type: "ends", exitCode: 3 });
});

test("what is not known ends where it is of a Job, and a loop goes on", () => {
  const task = (...command: string[]) => programOf(command, {}, undefined, false, true);
  expect(task()).toMatchObject({ type: "ends", exitCode: 0 });
  expect(task("/opt/migrate", "up")).toMatchObject({ type: "ends", exitCode: 0 });
  expect(task("sleep", "infinity")).toEqual({ type: "serves" });
});

test("variables of the environment are replaced by their values", () => {
  const program = programOf(["wget", "http://$HOST:8080/ready"], { HOST: "api" }, undefined, true);
  expect(program).toMatchObject({ type: "waits", host: "api", port: 8080, path: "/ready" });
});

test("sleepSeconds reads the first sleep with its unit", () => {
  expect(sleepSeconds("echo; sleep 1.5; sleep 9")).toBe(1.5);
  expect(sleepSeconds("sleep 1h")).toBe(3600);
  expect(sleepSeconds("echo")).toBeUndefined();
});
