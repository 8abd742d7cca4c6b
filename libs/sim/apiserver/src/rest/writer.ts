import { builtInRules, customRules, type Writer } from "@microremed/sim-kinds";
import type { ApiContext, Call } from "../context/context.ts";

/** As the API server validates a field manager. */
const maxManagerLength = 128;

/** Who owns what this request sets: its field manager, or else the program that sent it. */
export function writerOf(context: ApiContext, { request, query, target, type }: Call): Writer {
  const program = request.headers["user-agent"]?.split("/")[0]?.slice(0, maxManagerLength);
  const schema = type.custom?.schema;
  return {
    manager: query.get("fieldManager") || program || "unknown",
    subresource: target.subresource,
    now: context.now(),
    rules: schema ? customRules(schema) : builtInRules(type.kind),
  };
}
