import { expect, test } from "vitest";
import {
  catalog,
  EpisodeId,
  ExperimentRequest,
  episodeId,
  errorCodes,
  nameOfToken,
  streams,
  subjects,
  subjectToken,
} from "./index.ts";

test("a request needs only environment and model", () => {
  expect(ExperimentRequest.parse({ environment: "simple-micro", model: "gpt-4.1" })).toMatchObject({
    model: ["gpt-4.1"],
    method: ["ThinkRemed"],
    repeats: 1,
    failures: "easy@1",
    seed: 1,
    maxAttempts: 2,
    timeouts: { injectionSeconds: 30, recoverySeconds: 300 },
  });
});

test("a request may name several models and methods, and reads the same when it is read again", () => {
  const request = {
    environment: "shop",
    model: ["a", "b", "a"],
    method: ["SoloGen", "ThinkRemed"],
    repeats: 3,
  };
  const parsed = ExperimentRequest.parse(request);
  expect(parsed).toMatchObject({ model: ["a", "b"], method: ["SoloGen", "ThinkRemed"], repeats: 3 });
  expect(ExperimentRequest.parse(parsed)).toEqual(parsed);
  expect(ExperimentRequest.safeParse({ environment: "shop", model: [] }).success).toBe(false);
});

test("every wrong field of a request is an issue of its own", () => {
  const result = ExperimentRequest.safeParse({
    environment: 1,
    model: "",
    seed: 1.5,
    timeouts: { probeSeconds: 0 },
    color: "red",
  });
  const paths = result.error?.issues.map(
    (issue) => issue.path.join(".") || String((issue as { keys?: string[] }).keys),
  );
  expect(paths).toEqual(
    expect.arrayContaining(["environment", "model", "seed", "timeouts.probeSeconds", "color"]),
  );
});

test("subject tokens are one NATS token and keep different names apart", () => {
  expect(subjects.command("solve", "reference/noop")).toBe("microremed.commands.solve.reference=2fnoop");
  expect(subjectToken("a.b *>")).toMatch(/^[A-Za-z0-9_=-]+$/);
  expect(subjectToken("a.b")).not.toBe(subjectToken("a_b"));
  const name = "meta/Llama-3.3=70B:free_*>~";
  expect(nameOfToken(subjectToken(name))).toBe(name);
});

test("an episode's id holds its experiment and index", () => {
  expect(EpisodeId.parse(episodeId("exp-1", 7))).toBe("exp-1.0007");
  expect(subjectToken(episodeId("exp-1", 7))).toBe("exp-1=2e0007");
});

test("every streamed subject of the catalogue is captured by exactly one stream", () => {
  const prefixes = Object.values(streams).flatMap((stream) =>
    stream.subjects.map((subject) => subject.replace(/[>*]$/, "")),
  );
  for (const { subject } of catalog) {
    const captured = prefixes.filter((prefix) => subject.startsWith(prefix)).length;
    expect([subject, captured]).toEqual([subject, subject.startsWith("microremed.rpc.") ? 0 : 1]);
  }
});

test("error codes are kebab-case words", () => {
  for (const code of Object.keys(errorCodes)) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
