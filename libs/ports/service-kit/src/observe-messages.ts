import type { Interceptor } from "@microremed/bus";
import { isNormalEnd } from "@microremed/contracts";
import { AppError, clipMiddle, type Logger } from "@microremed/core";
import { idsIn, operationOf } from "./message-names.ts";
import type { Metrics } from "./metrics.ts";

const longestMessage = 2_000;

/**
 * One log line per message handled: op, ok, duration_ms, delivery, msg_id, experiment_id, episode_id, error_code, and
 * what the handler added to `context.fields`. A handler that ends well but has `error_code` among them counts as an error, unless the
 * code is a normal end.
 */
export function observeMessages(log: Logger, metrics: Metrics): Interceptor {
  return (next) => async (message, context) => {
    const op = operationOf(context.subject);
    const { experiment, episode } = idsIn(message);
    const startedAt = performance.now();
    metrics.started(op);
    const report = (error: AppError | undefined): void => {
      const duration = performance.now() - startedAt;
      const { fields } = context;
      const code = error?.code ?? fields["error_code"];
      const ok = code === undefined || isNormalEnd(String(code));
      metrics.ended(op, ok ? "ok" : "error", duration / 1000, context.attempt);
      const line = {
        op,
        ok,
        duration_ms: Math.round(duration),
        delivery: context.attempt,
        msg_id: context.messageId,
        ...(experiment !== undefined && { experiment_id: experiment }),
        ...(episode !== undefined && { episode_id: episode }),
        ...fields,
        ...(error && {
          error_code: error.code,
          error_message: clipMiddle(error.message, longestMessage),
          ...(error.code === "internal" && { error_stack: stackOf(error) }),
        }),
      };
      if (ok) log.info(line, "handled");
      else log.warn(line, "handled with an error");
    };
    try {
      const result = await next(message, context);
      report(undefined);
      return result;
    } catch (thrown) {
      report(AppError.from(thrown));
      throw thrown;
    }
  };
}

function stackOf(error: AppError): string | undefined {
  const source = error.cause instanceof Error ? error.cause : error;
  return source.stack?.slice(0, longestMessage);
}
