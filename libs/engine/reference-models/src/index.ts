export { type ReferenceModels, startReferenceModels } from "./start-reference-models.ts";
