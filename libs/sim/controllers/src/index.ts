export { defaultStorageClass } from "./claim-volumes.ts";
export { startControllers } from "./start-controllers.ts";
export type { IssueSecretToken } from "./token-secrets.ts";
export { atRate, zoneRates } from "./zone-evictions.ts";
