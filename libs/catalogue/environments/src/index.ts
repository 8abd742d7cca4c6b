export * from "@microremed/catalogue/environment";
export {
  createEnvironmentRegistry,
  type EnvironmentRegistry,
  environments,
} from "./registry.ts";
