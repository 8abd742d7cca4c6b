import { expect, test } from "vitest";
import { decodeBody } from "./decode-body.ts";
import recorded from "./testdata/kubectl-1.33-bodies.json" with { type: "json" };

test.each(recorded)("reads what kubectl 1.33 sent for: $command", ({ body, object }) => {
  expect(decodeBody(Buffer.from(body, "base64"))).toEqual(object);
});
