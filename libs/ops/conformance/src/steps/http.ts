import type { Step } from "../case.types.ts";
import { difference, fillShape, type Shape } from "../match.ts";

interface Extra {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Shape;
}

/** A request as a client library sends it, `GET /api/v1/...`: the answer's status code and body. */
export const http = (line: string, status: number, shape: Shape = () => true, extra: Extra = {}): Step => ({
  async run(context) {
    const [method = "GET", path = "/"] = context.fill(line).split(" ");
    const { body, contentType, accept } = extra;
    const answer = await context.target.http(method, path, {
      signal: context.signal,
      ...(body !== undefined && {
        body: context.fill(typeof body === "string" ? body : JSON.stringify(body)),
      }),
      ...(contentType !== undefined && { contentType }),
      ...(accept !== undefined && { accept }),
    });
    if (answer.status !== status)
      throw new Error(`${line}: answered ${answer.status}, expected ${status}: ${answer.text}`);
    const parsed = parse(answer.text);
    const wrong =
      difference(parsed, fillShape(shape, context.fill)) ?? difference(answer.headers, extra.headers ?? {});
    if (wrong) throw new Error(`${line}: ${wrong}`);
  },
});

/** A watch's events, plain text and nothing at all are no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
