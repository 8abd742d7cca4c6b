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
