export { type ProberUnderTest, testProber } from "./test-prober.ts";
