import type { ModelCheck, ModelCheckReply } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { ChatClient, ChatRequest, ModelEndpoint, Models } from "@microremed/llm";
import type { RecordedJudge } from "../recorded-judge.ts";

export interface CheckModelDeps {
  readonly models: Pick<Models, "resolve">;
  readonly connectModel: (endpoint: ModelEndpoint, call: { readonly timeoutMs: number }) => ChatClient;
  /** Answers come from a cassette: no endpoint is asked. Its judges; absent: there is no cassette. */
  readonly recorded?: RecordedJudge | undefined;
}

/** With a tool, as in every turn: some servers refuse a request only because of it. */
const question: ChatRequest = {
  messages: [{ role: "user", content: "This is a test of the connection. Answer with the word ok." }],
  tools: [
    {
      name: "ok",
      description: "Says that the connection works.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
    },
  ],
};

/** Asks a model once, with the settings of a turn, unless only its configuration is asked for. What is wrong is in the reply, without any key. */
export async function checkModel(
  { model, timeoutSeconds, configured = false }: ModelCheck,
  { models, connectModel, recorded }: CheckModelDeps,
): Promise<ModelCheckReply> {
  let endpoint: string | null = null;
  if (recorded?.names.includes(model)) return { trouble: null, endpoint };
  try {
    const found = models.resolve(model);
    endpoint = withoutLogin(found.baseUrl);
    // Rules run in this range, and what is recorded is on its disk.
    if (!found.ruleBased && !recorded && !configured)
      await connectModel(found, { timeoutMs: timeoutSeconds * 1000 }).complete(question);
    return { trouble: null, endpoint };
  } catch (thrown) {
    const { code, message, details } = AppError.from(thrown);
    return { trouble: { code, message: message.slice(0, 2_000), details: { ...details } }, endpoint };
  }
}

/** A URL may hold a user's name and password. */
function withoutLogin(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.origin}${url.pathname}`;
}
