export { misfits } from "./misfits.ts";
