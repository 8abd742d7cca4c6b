export { createApiServer } from "./api-server.ts";
export { createAuthorizer } from "./auth/authorizer.ts";
export { createPodTokens } from "./auth/pod-tokens.ts";
export { createServiceAccountTokens } from "./auth/service-account-tokens.ts";
export { seedCluster } from "./bootstrap.ts";
export type { ApiServerDeps, Route, RouteResponse } from "./context/api-server.types.ts";
export { createApi } from "./create-api.ts";
export { createLocalApi, type LocalApi } from "./local-api.ts";
export type { Identity } from "./signing/certificates.ts";
