import { type ChatMessage, defaultTask, sentOf } from "@microremed/contracts";
import { AppError, createRng } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import { JsonSchema } from "@microremed/reference-models";
import type { Catalogue } from "@microremed/registry";
import type { Gym } from "../create-gym.ts";
import type { ExpertCase } from "./expert.ts";
import { playTrace, type Refusal } from "./play-trace.ts";
import type { CaseTraces, Trace, TraceCase, TraceRecipe } from "./trace.types.ts";

/**
 * Lets experts work on a case, each on a fork of its start. A case that cannot be started has no traces; what the machine gets
 * wrong is thrown.
 */
export async function makeTraces(
  planned: TraceCase,
  { seed, perCase }: Pick<TraceRecipe, "seed" | "perCase">,
  { gym, catalogue }: { readonly gym: Gym; readonly catalogue: Catalogue },
  signal: AbortSignal,
): Promise<CaseTraces> {
  const { index, request } = planned;
  const id = `case-${index}`;
  const { strength = null, report = "oracle", concealment = "none", acting, task = defaultTask } = request;
  const labels = { part: planned.part, ...planned.incident, strength, report, concealment, acting, task };
  const about = { index, labels };
  const start = await started(gym, id, planned, signal);
  if (typeof start === "string") return { ...about, tools: [], traces: [], refused: { [start]: perCase } };
  try {
    const given = expertCase(planned, catalogue, start.observation.tools ?? []);
    const traces: Trace[] = [];
    const refused: Partial<Record<Refusal, number>> = {};
    for (let number = 0; number < perCase; number++) {
      const rng = createRng(seed, `trace ${index} ${number}`);
      const played = await playTrace(gym, id, given, rng, signal);
      if (typeof played === "string") refused[played] = (refused[played] ?? 0) + 1;
      else traces.push({ ...played, id: `${index}-${number}`, conversation: plain(played.conversation) });
    }
    return { ...about, tools: start.observation.tools ?? [], traces, refused };
  } finally {
    gym.close(id);
  }
}

/** The start, or why there is none: a drawn strength may have no effect on a target. */
async function started(gym: Gym, id: string, { request }: TraceCase, signal: AbortSignal) {
  try {
    return await gym.reset(id, request, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    return AppError.from(thrown).code === "invalid-request" ? "not started" : "harness failed";
  }
}

function expertCase(
  { incident: { environment, fault, target }, others, request }: TraceCase,
  { faults, environments }: Catalogue,
  tools: readonly ToolSpec[],
): ExpertCase {
  const known = faults.get(fault);
  return {
    fault: known.control ? null : known,
    answer: answerOf(tools),
    others: others.map((name) => faults.get(name)),
    namespace: environments.get(environment).namespace,
    // What is asked for is not in the report, and where nothing is wrong nothing is to be named.
    named:
      request.report === "oracle" &&
      !known.control &&
      (request.task ?? defaultTask) === defaultTask &&
      !target.includes("/")
        ? target
        : null,
    acting: request.acting,
  };
}

/** What a question's answer must be; null: none is asked for. */
function answerOf(tools: readonly ToolSpec[]): JsonSchema | null {
  const schema = JsonSchema.parse(tools.find(({ name }) => name === "submit")?.parameters ?? {});
  return Object.keys(schema.properties ?? {}).length === 0 ? null : schema;
}

/** As a model is given it, and nothing of how it was asked. */
const plain = (conversation: readonly ChatMessage[]): ChatMessage[] =>
  sentOf(conversation).map((message): ChatMessage => {
    switch (message.role) {
      case "assistant":
        return { role: "assistant", content: message.content, toolCalls: message.toolCalls };
      case "tool":
        return { role: "tool", content: message.content, toolCallId: message.toolCallId };
      default:
        return { role: message.role, content: message.content };
    }
  });
