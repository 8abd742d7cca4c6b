import { terminal } from "@microremed/core";

const bodiless = new Set([204, 205, 304]);

/**
 * A fetch that has read the whole body when it resolves, so that one deadline covers slow headers and a slow body
 * alike, and that gives up on a body of more than `maxBytes`: of an answer with `model-answer-too-large`, else it is cut.
 */
export function boundedFetch(inner: typeof fetch, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const body = await readBody(response, maxBytes);
    return new Response(bodiless.has(response.status) ? null : body, {
      status: response.status,
      headers: response.headers,
    });
  };
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > maxBytes) {
      if (!response.ok) break;
      const message = `the model's answer is larger than ${maxBytes} bytes`;
      throw terminal("model-answer-too-large", message, { maxBytes });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
