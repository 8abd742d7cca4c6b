import type { FastifySerializerCompiler } from "fastify";
import type { z } from "zod";

/**
 * The answers of routes as their schemas say them: what a schema does not name never leaves, even where code has put it into
 * an answer. An answer that does not match is an error of ours.
 */
export const checkedSerializer: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (answer) =>
    JSON.stringify(schema.parse(answer));

/** Answers that were checked as messages on the bus, for those who may see all of it. */
export const plainSerializer: FastifySerializerCompiler<z.ZodType> = () => (answer) => JSON.stringify(answer);
