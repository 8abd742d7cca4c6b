import { expect, test } from "vitest";
import type { CreateState } from "./state-under-test.ts";

export function testConversations(create: CreateState): void {
  test("a conversation grows only from the length its writer saw", async () => {
    await using tested = await create();
    const { state } = tested;
    const key = { episodeId: "one.0000", trial: 1 };
    const say = (content: string) => ({ role: "user" as const, content });
    expect(await state.conversations.read(key)).toEqual([]);
    await state.conversations.append(key, 0, [say("a"), say("b")]);
    await expect(state.conversations.append(key, 0, [say("c")])).rejects.toMatchObject({
      code: "version-conflict",
    });
    expect(await state.conversations.read(key)).toEqual([say("a"), say("b")]);
  });

  test("every trial of an episode has a conversation of its own", async () => {
    await using tested = await create();
    const { conversations } = tested.state;
    const hello = { role: "user" as const, content: "a" };
    await conversations.append({ episodeId: "one.0000", trial: 1 }, 0, [hello]);
    expect(await conversations.read({ episodeId: "one.0000", trial: 2 })).toEqual([]);
    await conversations.append({ episodeId: "one.0000", trial: 2 }, 0, []);
    await expect(conversations.append({ episodeId: "one.0000", trial: 2 }, 3, [hello])).rejects.toMatchObject(
      {
        message: "the conversation of one.0000 has 0 messages, expected 3",
      },
    );
  });
}
