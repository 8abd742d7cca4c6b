import { AppError } from "@microremed/core";
import type { ModelEndpoint } from "@microremed/llm";
import { boundedLabel, type Metrics, type SpanAttributes, type Tracing } from "@microremed/service-kit";

/** Seconds; reasoning models think for minutes. */
const buckets = [0.05, 0.2, 0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320];

interface Reply {
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
  readonly exchange?: { readonly finishReason: string; readonly failedTries: readonly unknown[] };
}

/** A client of a model, as far as it is watched. */
interface Client<Q, R extends Reply> {
  readonly model: string;
  complete(request: Q): Promise<R>;
}

export type WatchModel = <Q, R extends Reply>(client: Client<Q, R>, endpoint: ModelEndpoint) => Client<Q, R>;

/** Counts the calls of models and has each in a span, by OpenTelemetry's names for generative AI; never what is said. */
export function createWatchModel(metrics: Metrics, tracing: Tracing): WatchModel {
  const nameOf = boundedLabel();
  const calls = metrics.counter({
    name: "microremed_model_calls_total",
    help: "Calls of models, tries of one call counted once, by outcome: ok or an error code",
    labels: ["model", "outcome"],
  });
  const duration = metrics.histogram({
    name: "microremed_model_call_duration_seconds",
    help: "How long a call of a model took, its tries and the waits between them included",
    labels: ["model"],
    buckets,
  });
  const tokens = metrics.counter({
    name: "microremed_model_tokens_total",
    help: "Tokens as the provider reports them, else estimated",
    labels: ["model", "direction"],
  });
  return (client, endpoint) => {
    const model = nameOf(endpoint.name);
    const options = { kind: "client", attributes: endpointAttributes(endpoint) } as const;
    const complete: typeof client.complete = (request) =>
      tracing.within(`chat ${model}`, options, async (span) => {
        const startedAt = performance.now();
        let outcome = "ok";
        try {
          const reply = await client.complete(request);
          const { usage, exchange } = reply;
          const { promptTokens, completionTokens } = usage;
          tokens({ model, direction: "input" }, promptTokens);
          tokens({ model, direction: "output" }, completionTokens);
          span.set({
            "gen_ai.usage.input_tokens": promptTokens,
            "gen_ai.usage.output_tokens": completionTokens,
            "gen_ai.response.finish_reasons": exchange && [exchange.finishReason],
            "microremed.failed_tries": exchange?.failedTries.length,
          });
          return reply;
        } catch (thrown) {
          outcome = AppError.from(thrown).code;
          throw thrown;
        } finally {
          calls({ model, outcome });
          duration({ model }, (performance.now() - startedAt) / 1000);
        }
      });
    return { ...client, complete };
  };
}

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/; `openai` is the format that is spoken. */
function endpointAttributes({ baseUrl, model, ruleBased }: ModelEndpoint): SpanAttributes {
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": model,
    "server.address": hostname,
    "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
    "microremed.rule_based": ruleBased,
  };
}
