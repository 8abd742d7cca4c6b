export type { Context } from "./context.ts";
export { exitCodes } from "./exit-codes.ts";
export { main, program } from "./main.ts";
export { createTerminal } from "./terminal.ts";
export { verbs } from "./verbs.ts";
