export { referenceFetch } from "./reference-fetch.ts";
export {
  type ReferenceModels,
  type ReferenceModelsOptions,
  startReferenceModels,
} from "./start-reference-models.ts";
