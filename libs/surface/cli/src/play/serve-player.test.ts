import { expect, test } from "vitest";
import { servePlayer } from "./serve-player.ts";

const post = async (url: string, body: string) => {
  const reply = await fetch(`${url}/chat/completions`, { method: "POST", body });
  return { status: reply.status, body: await reply.json() };
};

test("a request is answered with the player's move, and one sent again waits for the same", async () => {
  const { promise, resolve } = Promise.withResolvers<{ name: string; args: object }>();
  const asked: unknown[] = [];
  await using server = await servePlayer((one) => {
    asked.push(one);
    return promise as never;
  });
  const tools = [{ function: { name: "wait", description: "Wait.", parameters: { type: "object" } } }];
  const body = JSON.stringify({ model: "you", messages: [{ role: "user", content: "hello" }], tools });
  const both = [post(server.url, body), post(server.url, body)];
  await expect.poll(() => asked.length).toBe(1);
  resolve({ name: "wait", args: { seconds: 5 } });
  for (const reply of await Promise.all(both))
    expect(reply).toMatchObject({
      status: 200,
      body: {
        choices: [{ message: { tool_calls: [{ function: { name: "wait", arguments: '{"seconds":5}' } }] } }],
      },
    });
  expect(asked).toMatchObject([{ messages: [{ content: "hello" }], tools: [{ name: "wait" }] }]);
});

test("what is no request is refused", async () => {
  await using server = await servePlayer(() => Promise.reject(new Error("never asked")));
  for (const body of ["", "{}", '{"messages":[]}']) expect((await post(server.url, body)).status).toBe(400);
});
