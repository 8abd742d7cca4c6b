export { createExec } from "./exec-in-container.ts";
