import {
  type Budgets,
  type ExperimentRequestInput,
  mostProbeRounds,
  mostSeconds,
  mostToolCalls,
  type RequestIssue,
  type TokenScope,
} from "@microremed/contracts";
import { wrongRequest } from "../routes/submit-to.ts";
import type { SessionRequest } from "./session-request.ts";

/** The most that a session may ask for of an episode's budgets. */
export type BudgetLimits = Pick<Budgets, "seconds" | "toolCalls" | "probeRounds">;

/** By the scope of the token that opens the session. */
export type SessionLimits = Readonly<Record<TokenScope, BudgetLimits>>;

/** As a request has them. */
export type AskedBudgets = NonNullable<ExperimentRequestInput["budgets"]>;

/** Where a session says nothing: a stranger's program calls more often than a model that pays for it. */
const usual: BudgetLimits = { seconds: 3600, toolCalls: 400, probeRounds: 400 };

/** What any request may ask for. */
const widest: BudgetLimits = { seconds: mostSeconds, toolCalls: mostToolCalls, probeRounds: mostProbeRounds };

/** `agentSeconds`, `agentCalls`: of the tokens for agents. Others may submit experiments with any budgets. */
export function sessionLimits(agentSeconds: number, agentCalls: number): SessionLimits {
  const agent = { seconds: agentSeconds, toolCalls: agentCalls, probeRounds: agentCalls };
  return { agent, researcher: widest, admin: widest };
}

/** The budgets of a session's episodes. Throws `invalid-request` that names every one that is beyond the token's limits. */
export function budgetsOf(
  { budgets }: Pick<SessionRequest, "budgets">,
  scope: TokenScope,
  limits: SessionLimits,
): AskedBudgets {
  const most = limits[scope];
  const names = ["seconds", "toolCalls", "probeRounds"] as const;
  const issues = names.flatMap((name): RequestIssue[] => {
    const asked = budgets[name] ?? 0;
    if (asked <= most[name]) return [];
    const message = `${asked} is too much: sessions of a token of the scope ${scope} may have at most ${most[name]} here; GET /v1/token says so, and the gateway's GATEWAY_AGENT_SECONDS and GATEWAY_AGENT_CALLS set it`;
    return [{ path: `budgets.${name}`, message }];
  });
  if (issues.length > 0) throw wrongRequest(issues);
  const unsaid = Object.fromEntries(names.map((name) => [name, Math.min(usual[name], most[name])]));
  return { ...unsaid, ...budgets };
}
