export type { CorpusRemedy } from "./corpus-remedy.ts";
export { placeholders } from "./placeholders.ts";
export { type KnownNames, readCorpus } from "./read-corpus.ts";
export type { RemedyCase } from "./remedy-case.ts";
