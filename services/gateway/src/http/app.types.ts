import type { TokenRecord } from "@microremed/contracts";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Access } from "./request-token.ts";

/** The HTTP server, to which routes are added. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route; absent: only a token of the scope `admin`. */
    readonly access?: Access;
  }
  interface FastifyRequest {
    /** Of who asks; null: the route asks for none. */
    token: TokenRecord | null;
    /** What the audit log has to say of the request besides. */
    noted: Record<string, unknown>;
  }
}
