export { brokenBody, brokenObject } from "./broken-objects.ts";
