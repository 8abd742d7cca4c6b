import { expect, test } from "vitest";
import { z } from "zod";
import { catalog, messageOfSubject } from "./messages/catalog.ts";
import { defineMessage, patternOf, subjectOf } from "./messages/define-message.ts";
import { permissions } from "./permissions.ts";
import { EpisodeState, stageOut } from "./records/episode-state.ts";
import { stageNames, stages } from "./stages/stages.ts";
import { streams } from "./streams.ts";
import { stageOfSubject, subjects } from "./subjects.ts";

test("a message is one definition: its subject, filter and places follow", () => {
  const probe = defineMessage({
    name: "TestProbe",
    version: 1,
    subject: "microremed.rpc.test.<cluster>.<pod>",
    from: ["client"],
    to: ["executor"],
    schema: z.strictObject({}),
    doc: "For this test.",
  });
  expect(subjectOf(probe, { cluster: "a.b", pod: "cart" })).toBe("microremed.rpc.test.a=2eb.cart");
  // @ts-expect-error a place of the subject is missing
  subjectOf(probe, { cluster: "a" });
  expect(patternOf(probe)).toBe("microremed.rpc.test.*.*");
});

test("a stage is one definition: state, stream, subjects and rights follow", () => {
  expect(EpisodeState.options).toEqual(["planned", ...stageNames.map((name) => stages[name].state), "done"]);
  for (const name of stageNames) {
    const { state, service } = stages[name];
    expect(stageOut[state]).toBe(name);
    expect(streams[service].subjects).toContain(subjects.commandOfAll(name));
    expect(permissions[service].nats.publish).toContain(subjects.result(name));
    expect(permissions[service].redis?.readWrite).toContain(`result:*/${name}`);
    expect(permissions.scheduler.nats.publish).toContain(subjects.commandOfAll(name));
    expect(stageOfSubject(subjects.command(name, "c1"))).toBe(name);
  }
});

test("a message may be taken by its receivers and sent only by its senders", () => {
  for (const message of catalog) {
    const pattern = patternOf(message);
    for (const user of message.to)
      if (message.reply) expect(permissions[user].nats.subscribe).toContain(`${pattern} ${user}`);
    const senders = Object.entries(permissions).filter(([, { nats }]) => nats.publish.includes(pattern));
    for (const [user] of senders)
      expect([message.name, message.from]).toEqual([message.name, expect.arrayContaining([user])]);
  }
});

test("a subject identifies its message", () => {
  expect(messageOfSubject(subjects.command("prepare", "c1"))).toBe(stages.prepare.message);
  expect(messageOfSubject(subjects.event("exp", "-", "experiment-started"))?.name).toBe("RangeEvent");
  expect(messageOfSubject(subjects.deadLetter("executor"))?.name).toBe("DeadLetter");
  expect(messageOfSubject("_INBOX.x.y")).toBeUndefined();
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
});
