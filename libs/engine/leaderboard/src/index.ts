export { buildLeaderboard, type EnteredRun, type MissingEpisode, suitesIn } from "./build-leaderboard.ts";
export { outcomeProblems } from "./check-outcome.ts";
export { type Entry, Leaderboard } from "./leaderboard.ts";
export { renderLeaderboard, shortTableOf } from "./render-page.ts";
export { digestOf, fingerprintOf, isSignedBy, newKeyPair, publicKeyOf, signBytes } from "./signature.ts";
export { Submission, Submitter, submissionFormat } from "./submission.ts";
