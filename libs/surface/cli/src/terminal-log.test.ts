import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { terminalLog } from "./terminal-log.ts";

test("what a local range warns of is said in one line, and the rest is not", () => {
  const said: string[] = [];
  const log = terminalLog(
    { say: (text) => void said.push(text), paint: (colour, text) => `${colour}: ${text}` },
    silentLogger,
  );
  log.info({ clusters: 4 }, "servers and clusters are up");
  log.warn({ cluster: "embedded-1", how: "ended by SIGKILL" }, "an embedded cluster died");
  log.error({ err: new Error("no room"), restarts: 2 }, "given up");
  expect(said).toEqual([
    "yellow: an embedded cluster died (cluster: embedded-1, how: ended by SIGKILL)",
    "red: given up (err: no room, restarts: 2)",
  ]);
});
