export { startControllers } from "./start-controllers.ts";
export { defaultStorageClass } from "./volume-claims.ts";
export { atRate, zoneRates } from "./zone-evictions.ts";
