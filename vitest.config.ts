import { defineConfig } from "vitest/config";
import { restingTests } from "./scripts/resting-tests.ts";
import LongFilesFirst from "./scripts/vitest-sequencer.ts";

/**
 * Deadlines only end what hangs: no test asserts a duration, and a machine ten times busier must pass. What is polled for
 * comes within milliseconds on a quiet machine.
 */
const shared = {
  setupFiles: ["./scripts/vitest-setup.ts"],
  testTimeout: 1_800_000,
  hookTimeout: 1_800_000,
  expect: { poll: { timeout: 300_000, interval: 50 } },
};
/**
 * `npm test` runs unit and integration tests side by side, and the whole gate conformance with them: integration tests wait
 * much of their time for other programs, and the others compute meanwhile. Side by side they need the same number of workers.
 * Files share the modules that a worker has loaded, which saves a sixth to a third of the CPU. What a test changes in its
 * process, such as a variable of the environment, it puts back.
 */
const gate = { isolate: false, maxWorkers: 7 };
/** One project after another. */
const inTurn = (groupOrder: number) => ({ sequence: { groupOrder } });
const resting = restingTests(process.argv.slice(2));
const conformance = "libs/ops/conformance/src/**/*.acceptance.test.ts";

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          ...shared,
          ...inTurn(0),
          ...gate,
          name: "unit",
          include: [
            "libs/**/src/**/*.test.ts",
            "libs/catalogue/**/*.test.ts",
            "services/*/src/**/*.test.ts",
            "scripts/**/*.test.ts",
            "clients/typescript/src/**/*.test.ts",
          ],
          exclude: [
            "**/*.int.test.ts",
            "**/*.acceptance.test.ts",
            "**/*.real.test.ts",
            "**/node_modules/**",
            ...resting,
          ],
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(0),
          ...gate,
          name: "integration",
          include: [
            "libs/**/src/**/*.int.test.ts",
            "libs/catalogue/**/*.int.test.ts",
            "services/*/src/**/*.int.test.ts",
          ],
          exclude: ["**/node_modules/**", ...resting],
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(0),
          ...gate,
          name: "conformance",
          include: [conformance],
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(2),
          name: "acceptance",
          include: [
            "libs/**/src/**/*.acceptance.test.ts",
            "services/*/src/**/*.acceptance.test.ts",
            "scripts/**/*.acceptance.test.ts",
          ],
          exclude: [conformance, "**/node_modules/**"],
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(4),
          name: "real",
          include: ["libs/ops/real-cluster/src/**/*.real.test.ts"],
          maxWorkers: 3,
        },
      },
    ],
  },
});
