import type { Called } from "@microremed/catalogue";
import type { ChatMessage } from "@microremed/contracts";

const head = /^exit code (\d+|unknown)\n/;

/** A stored answer as code gets it: the same whether the tool has just run or ran in an earlier delivery. */
export function calledFrom({
  content,
  milliseconds,
  refused,
}: Extract<ChatMessage, { role: "tool" }>): Called {
  const [line = "", code] = head.exec(content) ?? [];
  const exitCode = code === undefined || code === "unknown" ? null : Number(code);
  const text = content.slice(line.length);
  return { ran: milliseconds !== undefined && !refused, exitCode, text: text === "(no output)" ? "" : text };
}
