export * from "@microremed/catalogue/environment";
export {
  createEnvironmentRegistry,
  type EnvironmentRegistry,
  environmentNamesIn,
  environments,
} from "./registry.ts";
