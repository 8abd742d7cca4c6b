import { wrongFields } from "../episode/wrong-fields.ts";
import type { Result } from "../gym.types.ts";
import { AnyAction } from "./protocol.ts";
import type { Sessions } from "./sessions.ts";

/** What a step answers: a result, with what OpenEnv's MCP clients want beside it. */
export interface StepAnswer {
  readonly observation: object;
  readonly reward: number | null;
  readonly done: boolean;
}

/** Does an action of any form. Throws `invalid-request` that names every wrong field. */
export async function play(
  sessions: Sessions,
  id: string,
  given: unknown,
  timeoutSeconds?: number | null,
): Promise<StepAnswer> {
  const { data: action, error } = AnyAction.safeParse(given);
  if (error) throw wrongFields('action: {"tool": ..., "arguments": {...}} or {"text": ...}', error.issues);
  if (!("type" in action)) return sessions.step(id, action, timeoutSeconds ?? undefined);
  if (action.type === "list_tools") {
    const { observation, reward, done } = await sessions.current(id);
    return {
      observation: { ...observation, tools: toolsAsMcp(observation.tools ?? (await sessions.tools(id))) },
      reward,
      done,
    };
  }
  const { tool_name, arguments: args } = action;
  const result = await sessions.step(id, { tool: tool_name, arguments: args }, timeoutSeconds ?? undefined);
  const { tools: _, ...observation } = result.observation;
  return { ...result, observation: { ...observation, tool_name, result: observation.text, error: null } };
}

/** Tools as MCP names their fields. */
export const toolsAsMcp = (tools: NonNullable<Result["observation"]["tools"]>) =>
  tools.map(({ name, description, parameters }) => ({
    ...{ name, description },
    inputSchema: { ...parameters, type: "object" as const },
  }));
