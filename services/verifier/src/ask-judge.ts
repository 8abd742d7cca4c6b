import type { Bus } from "@microremed/bus";
import { JudgeReply, type JudgeRequest, subjects } from "@microremed/contracts";

/** Beyond the model's own deadline: the way through the bus, ms. */
const graceMs = 5_000;

/** Has a remediator ask the model. Throws what the remediator threw, and `bus-unreachable` where none serves the model. */
export function askJudge(bus: Pick<Bus, "request">, request: JudgeRequest): Promise<JudgeReply> {
  const timeoutMs = request.timeoutSeconds * 1000 + graceMs;
  return bus.request(subjects.judge(request.model), request, { schema: JudgeReply, timeoutMs });
}
