import { expect, test } from "vitest";
import { createTerminal } from "./terminal.ts";

const keep = <T>(state: T): T => state;

test("the first client gets what was printed before it came, later ones what comes after", () => {
  const terminal = createTerminal({ tty: false, once: true }, keep);
  terminal.print("stdout", "early ");
  expect(terminal.wasUsed).toBe(false);
  const [first, second] = ["", ""].map(() => ({ text: "" }));
  const leave = terminal.attach((_stream, chunk) => {
    if (first) first.text += chunk;
  });
  expect(terminal.wasUsed).toBe(true);
  terminal.attach((stream, chunk) => {
    if (second) second.text += `${stream}:${chunk}`;
  });
  terminal.print("stderr", "late");
  leave();
  terminal.print("stdout", "r");
  expect([first?.text, second?.text]).toEqual(["early late", "stderr:latestdout:r"]);
});

test("what was typed goes to the program that runs now", async () => {
  const terminal = createTerminal({ tty: false, once: false }, keep);
  terminal.input.push(Buffer.from("old"));
  terminal.renew();
  terminal.input.push(Buffer.from("new"));
  terminal.input.end();
  const typed = [];
  for await (const chunk of terminal.input) typed.push(Buffer.from(chunk).toString());
  expect(typed).toEqual(["new"]);
});
