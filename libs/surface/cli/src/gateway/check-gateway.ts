import { retryable, terminal } from "@microremed/core";
import type { GatewayAccess } from "./find-gateway.ts";

const usualDeadlineMs = 10_000;

/**
 * Asks a gateway what its token is, before anything is begun. Throws `gateway-unreachable` where none answers within the deadline
 * (ms), and `unauthorized` where it does not know the token.
 */
export async function checkGateway(
  { url, token }: GatewayAccess,
  signal: AbortSignal,
  deadlineMs = usualDeadlineMs,
): Promise<void> {
  const at = url.slice(0, 200);
  const status = await statusOf(url, token, AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])).catch(
    (thrown: unknown) => {
      signal.throwIfAborted();
      throw retryable(
        "gateway-unreachable",
        `no gateway answers at ${at}: ${causeOf(thrown)}; start one with \`microremed up --gateway\`, or correct MICROREMED_URL`,
      );
    },
  );
  if (status === 401)
    throw terminal(
      "unauthorized",
      `the gateway at ${at} does not know the token: set MICROREMED_TOKEN to one of that gateway (\`microremed tokens create\`)`,
    );
  if (status === 404)
    throw terminal("invalid-config", `${at} is no gateway: it has no /v1/token; correct MICROREMED_URL`);
}

async function statusOf(url: string, token: string, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${url}/v1/token`, { headers, redirect: "error", signal });
  await reply.body?.cancel();
  return reply.status;
}

/** What `fetch` found is in its cause. */
function causeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown).slice(0, 200);
  const { cause } = thrown;
  if (cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED") return "connection refused";
  return (cause instanceof Error && cause.message !== "" ? cause.message : thrown.message).slice(0, 200);
}
