import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { harnessVersion } from "@microremed/core";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { ErrorBody } from "./answer-error.ts";
import type { App } from "./app.types.ts";
import { withUsedSchemas } from "./used-schemas.ts";

/** Where the document is, and where it can be read. */
const documentPath = "/openapi.json";
const readerPath = "/docs";

const tags = [
  { name: "sessions", description: "An outside agent's way to problems" },
  { name: "mcp", description: "The same for MCP clients" },
  { name: "experiments", description: "Submit, follow and report experiments" },
  { name: "episodes", description: "What happened in an episode" },
  { name: "events", description: "What happens, as it happens" },
  { name: "problems", description: "Suites and their problems" },
  { name: "catalogue", description: "What there is to choose from" },
  { name: "range", description: "The range itself" },
];

/** Describes all routes that are added after it, and serves a page to read that. `url`: by which others reach the server. */
export async function addOpenApi(app: App, url: string | undefined): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "MicroRemed",
        version: harnessVersion,
        description:
          "A range on which agents that operate microservice systems are tried. Every request has a token: `Authorization: Bearer mr_...`.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: url ?? "/" }],
      tags,
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
    transformObject: createJsonSchemaTransformObject({}),
  });
  app.addHook("onRoute", ({ schema }) => {
    if (schema?.response === undefined) return;
    schema.response = { ...schema.response, default: ErrorBody };
  });
  app.route({
    config: { access: "anyone" },
    method: "GET",
    url: documentPath,
    schema: { hide: true },
    handler: async (_, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .serializer(String)
        .send(JSON.stringify(withUsedSchemas(app.swagger() as Partial<OpenAPIV3_1.Document>)) as never),
  });
  app.route({
    config: { access: "anyone" },
    method: "GET",
    url: "/",
    schema: { hide: true },
    handler: async (_, reply) => reply.redirect(readerPath),
  });
  await app.register(async (reader) => {
    reader.addHook("onRoute", (route) => {
      route.config = { ...route.config, access: "anyone" };
    });
    await reader.register(swaggerUi, {
      routePrefix: readerPath,
      uiConfig: { deepLinking: true, persistAuthorization: false, validatorUrl: null },
      staticCSP:
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    });
  });
}
