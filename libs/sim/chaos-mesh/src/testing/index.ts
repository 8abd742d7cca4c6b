export { createChaosWorld } from "./chaos-world.ts";
