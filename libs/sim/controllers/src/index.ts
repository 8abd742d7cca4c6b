export { defaultStorageClass } from "./claim-volumes.ts";
export { startControllers } from "./start-controllers.ts";
export { atRate, zoneRates } from "./zone-evictions.ts";
