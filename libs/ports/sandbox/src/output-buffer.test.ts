import { expect, test } from "vitest";
import { createOutputBuffer } from "./output-buffer.ts";

test("keeps a short output whole", () => {
  const buffer = createOutputBuffer();
  buffer.add(Buffer.from("héllo "));
  buffer.add(Buffer.from("world"));
  expect(buffer.text()).toBe("héllo world");
});

test("keeps whatever fits head and tail whole, wherever the chunks are cut", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => i).join(" ");
  const buffer = createOutputBuffer();
  for (let at = 0; at < text.length; at += 777) buffer.add(Buffer.from(text.slice(at, at + 777)));
  expect(text.length).toBeLessThan(128 * 1024);
  expect(buffer.text()).toBe(text);
});

test("keeps head and tail of a long output and counts the rest", () => {
  const buffer = createOutputBuffer();
  buffer.add(Buffer.from("first"));
  for (let i = 0; i < 1000; i++) buffer.add(Buffer.alloc(10_000, "x"));
  buffer.add(Buffer.from("last"));
  const text = buffer.text();
  expect(buffer.size).toBe(10_000_009);
  expect(text.startsWith("first")).toBe(true);
  expect(text.endsWith("last")).toBe(true);
  expect(text).toContain("[9868937 bytes left out]");
  expect(text.length).toBeLessThan(140_000);
});

test("a long output of many lines is cut at their ends", () => {
  const buffer = createOutputBuffer();
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i}`);
  for (let at = 0; at < lines.length; at += 1000)
    buffer.add(Buffer.from(`${lines.slice(at, at + 1000).join("\n")}\n`));
  const kept = buffer.text().trimEnd().split("\n");
  const note = kept.findIndex((line) => line.startsWith("..."));
  expect(kept.slice(0, note)).toEqual(lines.slice(0, note));
  expect(kept.slice(note + 1)).toEqual(lines.slice(-(kept.length - note - 1)));
  const shown = [...kept.slice(0, note), ...kept.slice(note + 1)].join("\n").length + 1;
  expect(kept[note]).toBe(`... [${buffer.size - shown} bytes left out] ...`);
});

test.each(["é", "€", "𝄞", "a"])("one endless line of %s is cut between characters", (character) => {
  const buffer = createOutputBuffer();
  buffer.add(Buffer.from("x"));
  for (let i = 0; i < 100; i++) buffer.add(Buffer.from(character.repeat(10_000)));
  expect(buffer.text()).toMatch(
    new RegExp(`^x(?:${character})+\\n\\.\\.\\. \\[\\d+ bytes left out\\] \\.\\.\\.\\n(?:${character})+$`),
  );
});
