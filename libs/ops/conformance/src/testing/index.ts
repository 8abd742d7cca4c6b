export { embeddedResults } from "./embedded-results.ts";
