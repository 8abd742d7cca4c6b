import { createServer } from "node:http";
import { startReferenceModels } from "@microremed/reference-models";
import { builtInCatalogue } from "@microremed/registry";
import type { OperatorsModels } from "../rehearsal/rehearse-prod.ts";

/** A vendor's server, which wants a key, and one of the operator's own, which wants none. */
export interface ModelServers extends OperatorsModels, AsyncDisposable {
  /** Calls answered, by the model that they were for. */
  readonly answered: ReadonlyMap<string, number>;
}

const key = "sk-made-up";

/** Plays both at the ports that overlay `prod` lets remediators out to. The reference runbook answers in their place. */
export async function startModelServers(host: string): Promise<ModelServers> {
  await using stack = new AsyncDisposableStack();
  const reference = stack.use(
    await startReferenceModels({ faults: (await builtInCatalogue()).faults.all() }),
  );
  const answered = new Map<string, number>();
  const serve = async (model: string, port: number, { wantsKey }: { wantsKey: boolean }): Promise<void> => {
    const server = createServer(async (request, response) => {
      // Nor is the key anybody else's to see.
      const isRight = (request.headers.authorization === `Bearer ${key}`) === wantsKey;
      if (!isRight) return void response.writeHead(401).end('{"error":{"message":"who are you?"}}');
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const answer = await fetch(`${reference.url}${(request.url ?? "").replace(/^\/v1/, "")}`, {
        method: "POST",
        body: Buffer.concat(chunks),
        signal: AbortSignal.timeout(10_000),
      });
      if (answer.ok) answered.set(model, (answered.get(model) ?? 0) + 1);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
    stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
  };
  await serve("gpt-4.1", 8080, { wantsKey: true });
  await serve("qwen3-32b", 8000, { wantsKey: false });
  const owned = stack.move();
  return {
    answered,
    models: `models:
  gpt-4.1: { baseUrl: "http://vendor.example.org:8080/v1", apiKeyEnv: OPENAI_API_KEY, model: reference/runbook }
  gpt-4.1-mini: { baseUrl: "http://vendor.example.org:8080/v1", apiKeyEnv: OPENAI_API_KEY, model: reference/runbook }
  qwen3-32b: { baseUrl: "http://vllm.models.svc:8000/v1", model: reference/runbook }
`,
    keys: { OPENAI_API_KEY: key },
    names: { "vendor.example.org": host, "vllm.models.svc": host },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
