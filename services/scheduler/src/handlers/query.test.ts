import { type ChatMessage, type EpisodeRecord, noUsage, type Step } from "@microremed/contracts";
import { expect, test } from "vitest";
import { conversationOf, experimentPage } from "./query.ts";

type Deps = Parameters<typeof experimentPage>[0] & Parameters<typeof conversationOf>[0];

const aStep = (text: string): Step => ({
  ...{ kind: "act", tool: "run_playbook", arguments: { playbook: text }, result: null, grade: null },
  ...{ number: 1, attempt: 1, startedAt: null, endedAt: null, clusterTime: null, verdict: null },
  turn: { usage: noUsage, probes: 0 },
});
const anEpisode = (index: number, steps: readonly Step[] = []) =>
  ({ id: `e.${index}`, index, version: 7, trial: 1, steps }) as unknown as EpisodeRecord;

function stateOf(episodes: readonly EpisodeRecord[], conversation: readonly ChatMessage[] = []): Deps {
  const state = {
    experiments: { get: async () => ({ record: { episodes: episodes.length } }) },
    episodes: { getMany: async () => episodes, get: async () => episodes[0] },
    conversations: { read: async () => conversation },
  };
  return { state } as unknown as Deps;
}

const bytes = (reply: unknown): number => Buffer.byteLength(JSON.stringify(reply));
const mostBytes = 1_000_000;
const query = { experimentId: "e", from: 0, limit: 20, offset: 0 };

test("a record that fits in no reply comes in parts, of which each fits and nothing is left out", async () => {
  // Quotes and characters of three bytes: what takes most on the wire.
  const playbooks = ['"\\\n'.repeat(170_000), "\u6f22".repeat(260_000), "\ud83d\ude00".repeat(130_000)];
  const large = anEpisode(0, playbooks.map(aStep));
  let text = "";
  for (let part = 0; part < 100; part++) {
    const reply = await experimentPage(stateOf([large, anEpisode(1)]), { ...query, offset: text.length });
    expect(bytes(reply)).toBeLessThan(mostBytes);
    expect(reply).toMatchObject({ status: "part", index: 0, version: 7 });
    if (reply.status !== "part") break;
    text += reply.text;
    if (text.length === reply.length) break;
  }
  expect(JSON.parse(text)).toEqual(large);
});

test("a large record behind others begins the next page", async () => {
  const large = anEpisode(1, [aStep("x".repeat(800_000))]);
  const reply = await experimentPage(stateOf([anEpisode(0), large]), query);
  expect(reply).toMatchObject({ status: "ok", episodes: [{ index: 0 }], next: 1 });
});

test("a conversation comes in pages; of a message that fits in none the texts are cut, and say so", async () => {
  const call = { id: "c1", name: "probe_system", arguments: "y".repeat(500_000) };
  const said: ChatMessage[] = [
    { role: "user", content: "begin", attempt: 1 },
    { role: "assistant", content: "", toolCalls: [call] },
    { role: "tool", toolCallId: "c1", content: "z".repeat(500_000) },
    { role: "assistant", content: "", toolCalls: [{ ...call, arguments: "\u0001".repeat(500_000) }] },
    { role: "assistant", content: "", reasoning: "\u6f22".repeat(500_000), toolCalls: [] },
    { role: "user", content: "the end" },
  ];
  const read: ChatMessage[] = [];
  for (let from: number | null = 0, page = 0; from !== null && page < 100; page++) {
    const reply = await conversationOf(stateOf([anEpisode(0)], said), { episodeId: "e.0", from });
    expect(bytes(reply)).toBeLessThan(mostBytes);
    read.push(...reply.conversation);
    from = reply.next;
  }
  expect(read).toHaveLength(said.length);
  expect([read[0], read[1], read[2], read[5]]).toEqual([said[0], said[1], said[2], said[5]]);
  for (const cut of [read[3], read[4]]) expect(JSON.stringify(cut)).toMatch(/characters left out/);
});
