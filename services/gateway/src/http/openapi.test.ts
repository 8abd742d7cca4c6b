import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { aGateway } from "../testing/a-gateway.ts";
import { inMemory } from "../testing/backbones.ts";

test("the document is OpenAPI 3.1, says what every route takes and answers, and there is a page to read it", async () => {
  await using backbone = await inMemory();
  await using gateway = await aGateway(backbone, { GATEWAY_URL: "https://range.example.org" });
  const reply = await gateway.anonymously("/openapi.json");
  const document = (await reply.json()) as {
    openapi: string;
    servers: unknown;
    paths: Record<string, Record<string, { summary?: string; tags?: string[]; responses: object }>>;
  };
  expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: "https://range.example.org" }] });
  expect((await new Validator().validate(structuredClone(document))).errors).toBeUndefined();
  for (const [path, methods] of Object.entries(document.paths))
    for (const route of Object.values(methods)) {
      expect([path, route.summary, route.tags]).toEqual([path, expect.any(String), [expect.any(String)]]);
      expect([path, route.responses]).toMatchObject([
        path,
        { default: { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } } },
      ]);
      expect([path, Object.keys(route.responses).filter((status) => status.startsWith("2"))]).not.toEqual([
        path,
        [],
      ]);
    }
  const page = await gateway.anonymously("/");
  expect(page.url).toContain("/docs");
  expect(await page.text()).toContain("swagger-ui");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
});
