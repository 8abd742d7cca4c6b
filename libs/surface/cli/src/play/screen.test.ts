import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createScreen } from "./screen.ts";

const tools = [
  {
    ...{ name: "get_logs", description: "Get logs. Of one object." },
    parameters: { properties: { of: { type: "string" }, level: { enum: ["error", "info"] } } },
  },
  { name: "submit", description: "Hand in.", parameters: { properties: { anomaly: {} } } },
];
const messages = [
  { role: "system", content: "You operate a system." },
  { role: "user", content: "Say whether anything is wrong" },
];

/** A screen whose keys a test presses, and what was shown on it. */
function aScreen(isTerminal = false) {
  const input = new PassThrough();
  const output = new PassThrough();
  const said: string[] = [];
  let typed = "";
  output.on("data", (chunk: Buffer) => {
    typed += String(chunk);
  });
  let interrupts = 0;
  const screen = createScreen({
    ...{ terminal: { say: (text) => said.push(text) }, input, output, isTerminal },
    interrupt: () => {
      interrupts += 1;
    },
  });
  return { screen, input, said, typed: () => typed, interrupts: () => interrupts };
}

test("the question is shown once, help and slips are answered, submit is a move", async () => {
  const { screen, input, said } = aScreen();
  input.write("help\nget_log of=cart\nget_logs of=cart\n");
  expect(await screen.move({ messages, tools })).toEqual({ name: "get_logs", args: { of: "cart" } });
  const text = said.join("\n");
  expect(text).toContain("Say whether anything is wrong");
  expect(said[2]).toContain("help lists the tools");
  expect(text).toMatch(/get_logs +Get logs\.\n/);
  expect(text).toContain('there is no tool "get_log"; did you mean "get_logs"?');
  said.length = 0;
  input.write("submit anomaly=true\n");
  const answered = [...messages, { role: "assistant", content: "" }, { role: "tool", content: "error: x" }];
  expect(await screen.move({ messages: answered, tools })).toEqual({
    ...{ name: "submit", args: { anomaly: true } },
  });
  expect(said).toEqual(["\nerror: x\n"]);
  screen.close();
});

test("the Tab key completes tools, arguments and choices", async () => {
  const { screen, input, typed } = aScreen(true);
  const move = screen.move({ messages, tools });
  for (const keys of ["get", "\t", " le", "\t", "er", "\t", "\r"]) input.write(keys);
  expect(await move).toEqual({ name: "get_logs", args: { level: "error" } });
  expect(typed()).toContain("> ");
  screen.close();
});

test("the end of the input gives up, after what was written before it", async () => {
  const { screen, input } = aScreen();
  input.end("get_logs of=cart\n");
  expect(await screen.move({ messages, tools })).toMatchObject({ name: "get_logs" });
  await expect(screen.move({ messages, tools })).rejects.toMatchObject({ code: "cancelled" });
  await screen.quit;
});

test("Ctrl-C at the prompt interrupts the command, and quit gives up", async () => {
  const { screen, input, interrupts } = aScreen(true);
  const move = screen.move({ messages, tools });
  input.write("\u0003");
  await expect.poll(interrupts).toBe(1);
  input.write("quit\r");
  await expect(move).rejects.toMatchObject({ code: "cancelled" });
  await screen.quit;
  screen.close();
});
