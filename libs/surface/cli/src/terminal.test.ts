import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createTerminal } from "./terminal.ts";

test("characters that mislead a reader are shown as escapes, which JSON reads as the same text", async () => {
  const streams = [new PassThrough(), new PassThrough()] as const;
  const terminal = createTerminal(...(streams as unknown as [NodeJS.WriteStream, NodeJS.WriteStream]), {});
  const document = { reason: "safe\u202egnp.exe", emoji: "\u{1f600}", text: "ü\n" };
  terminal.print(JSON.stringify(document));
  terminal.say("what\u2066 was said\u009b31m");
  for (const stream of streams) stream.end();
  const [printed, said] = await Promise.all(streams.map((stream) => text(stream)));
  expect(printed).not.toContain("\u202e");
  expect(printed).toContain("\u{1f600}");
  expect(JSON.parse(printed ?? "")).toEqual(document);
  expect(said).toBe("what\\u2066 was said\\u009b31m\n");
});

test("tables get the terminal's width, 80 characters where it is unknown, or what COLUMNS says", () => {
  const widthWith = (columns: number | undefined, env: NodeJS.ProcessEnv): number => {
    const stream = Object.assign(new PassThrough(), { columns }) as unknown as NodeJS.WriteStream;
    return createTerminal(stream, stream, env).width;
  };
  expect(widthWith(undefined, {})).toBe(80);
  expect(widthWith(133, {})).toBe(133);
  expect(widthWith(133, { COLUMNS: "100" })).toBe(100);
  expect(widthWith(undefined, { COLUMNS: "100" })).toBe(100);
  expect([widthWith(undefined, { COLUMNS: "wide" }), widthWith(0, {})]).toEqual([80, 80]);
});
