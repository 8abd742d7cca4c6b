export * from "@microremed/catalogue/environment";
export { isEnvironmentFolder, readEnvironmentFolder } from "./read-folder.ts";
export {
  createEnvironmentRegistry,
  type EnvironmentRegistry,
  environments,
  readEnvironment,
} from "./registry.ts";
