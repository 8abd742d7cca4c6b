import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(
    createLogger({
      service: "tester",
      level: "info",
      destination: { write: (line) => void lines.push(line) },
    }),
  );
  return lines.join("");
}

test("writes one JSON object a line, with the service's name", () => {
  const line = logged((log) => log.info({ episode_id: "e.0001" }, "handled"));
  expect(JSON.parse(line)).toMatchObject({
    level: "info",
    service: "tester",
    episode_id: "e.0001",
    msg: "handled",
  });
});

test("hides fields by their name at any depth, and leaves counts of tokens alone", () => {
  const line = logged((log) =>
    log.info({ a: { apiKey: "k1", NATS_PASSWORD: "k2", promptTokens: 7 }, authorization: "k3" }, "x"),
  );
  expect(line).not.toMatch(/k[123]/);
  expect(line).toContain('"promptTokens":7');
});

test("hides a known secret wherever it occurs, also quoted and in a URL", () => {
  const line = logged((log) => {
    log.hide('p@ss"word');
    log.error({ error: 'bad p@ss"word', url: `redis://:${encodeURIComponent('p@ss"word')}@h` }, 'p@ss"word');
  });
  expect(line).not.toContain("word");
  expect(JSON.parse(line)).toMatchObject({ error: "bad [hidden]" });
});
