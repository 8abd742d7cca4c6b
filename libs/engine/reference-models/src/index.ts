export { calmAnswer, foundAnswer, JsonSchema } from "./answers.ts";
export { type Diagnosed, diagnose } from "./diagnose.ts";
export { knownOf } from "./known-of.ts";
export { keyOf, type Library } from "./policy.ts";
export { referenceFetch } from "./reference-fetch.ts";
export {
  type ReferenceModels,
  type ReferenceModelsOptions,
  startReferenceModels,
} from "./start-reference-models.ts";
