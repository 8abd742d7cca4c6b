import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { reachScript } from "./reach-along.ts";

const paths = [
  { from: "a", host: "up", port: 80, how: "http" },
  { from: "a", host: "down", port: 80, how: "http" },
  { from: "a", host: "up", port: 1, how: "tcp" },
] as const;

/** Runs the script with clients that answer for the host `up` alone. */
function run(clients: string): string {
  return spawnSync("sh", ["-c", `${clients}\n${reachScript(paths, "")}`], { encoding: "utf8" }).stdout;
}
const nc = 'nc() { case "$*" in *" up "*) return 0 ;; *) return 1 ;; esac; }';

test("counts the answers on every way and stops when one has failed", () => {
  const curl = 'curl() { case "$*" in *http://up:*) echo 404 ;; *) echo 503; return 0 ;; esac; }';
  expect(run(`${nc}\n${curl}`)).toBe("way 0 answered 33\nway 1 answered 0\nway 2 answered 33\n");
});

test("takes wget where there is no curl, and an answer with an error of the client's as one", () => {
  const wget =
    'wget() { case "$*" in *http://up:*) echo "wget: server returned error: HTTP/1.1 404 Not Found" >&2 ;; esac; return 1; }';
  const hidden = 'command() { [ "$2" = wget ] || [ "$2" = nc ]; }';
  expect(run(`${nc}\n${wget}\n${hidden}`)).toBe("way 0 answered 33\nway 1 answered 0\nway 2 answered 33\n");
});

test("says nothing of a way for which the image has no client", () => {
  expect(run("command() { return 1; }")).toBe("");
});
