import { defineConfig } from "vitest/config";

/**
 * Deadlines only end what hangs: no test asserts a duration, and a machine ten times busier must pass. What is polled for
 * comes within milliseconds on a quiet machine.
 */
const shared = {
  setupFiles: ["./scripts/vitest-setup.ts"],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000, interval: 50 } },
};
/** One project after another: projects that run side by side need the same number of workers. */
const inTurn = (groupOrder: number) => ({ sequence: { groupOrder } });
const conformance = "libs/ops/conformance/src/**/*.acceptance.test.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          ...inTurn(0),
          name: "unit",
          // Files share the modules that a worker has loaded: a third of the CPU. No unit test changes global state.
          isolate: false,
          maxWorkers: 2,
          include: [
            "libs/**/src/**/*.test.ts",
            "libs/catalogue/**/*.test.ts",
            "services/*/src/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: ["**/*.int.test.ts", "**/*.acceptance.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(1),
          name: "integration",
          include: [
            "libs/**/src/**/*.int.test.ts",
            "libs/catalogue/**/*.int.test.ts",
            "services/*/src/**/*.int.test.ts",
          ],
          // Much of their time is waiting for other programs.
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(2),
          name: "conformance",
          include: [conformance],
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(3),
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
    ],
  },
});
