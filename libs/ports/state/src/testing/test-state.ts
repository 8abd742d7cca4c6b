import { describe } from "vitest";
import type { CreateState } from "./state-under-test.ts";
import { testArenas } from "./test-arenas.ts";
import { testClaims } from "./test-claims.ts";
import { testConversations } from "./test-conversations.ts";
import { testEpisodeRecords } from "./test-episode-records.ts";
import { testEpisodes } from "./test-episodes.ts";
import { testExperiments } from "./test-experiments.ts";
import { testFairness } from "./test-fairness.ts";
import { testLeases } from "./test-leases.ts";
import { testModelCalls } from "./test-model-calls.ts";
import { testOutbox } from "./test-outbox.ts";
import { testPreferences } from "./test-preferences.ts";
import { testQuarantine } from "./test-quarantine.ts";
import { testQueueReadings } from "./test-queue-readings.ts";
import { testRangeId } from "./test-range-id.ts";
import { testSessions } from "./test-sessions.ts";
import { testStarts } from "./test-starts.ts";
import { testTokens } from "./test-tokens.ts";

/** What every driver of the state has to do. `create`: an empty one for each test. */
export function testState(name: string, create: CreateState): void {
  describe(`the state in ${name}`, () => {
    testExperiments(create);
    testEpisodes(create);
    testEpisodeRecords(create);
    testFairness(create);
    testPreferences(create);
    testArenas(create);
    testLeases(create);
    testQuarantine(create);
    testOutbox(create);
    testConversations(create);
    testClaims(create);
    testStarts(create);
    testRangeId(create);
    testModelCalls(create);
    testQueueReadings(create);
    testTokens(create);
    testSessions(create);
  });
}
