export { createPolicyRegistry, type PolicyRegistry } from "./policy-registry.ts";
