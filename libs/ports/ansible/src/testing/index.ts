export { type RunnerUnderTest, testPlaybookRunner } from "./test-playbook-runner.ts";
