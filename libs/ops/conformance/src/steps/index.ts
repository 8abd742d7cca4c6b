export { afterwards, client, needs } from "./client.ts";
export { http } from "./http.ts";
export { apply, fails, refuses, run, says } from "./kubectl.ts";
export { event, given, gone, is, ready, replaced, replicas, until } from "./objects.ts";
