import { defineConfig } from "vitest/config";

const shared = { setupFiles: ["./scripts/vitest-setup.ts"] };
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
          // Some step a whole cluster through hours; on a machine full of other work that takes a while.
          testTimeout: 30_000,
          include: ["libs/**/src/**/*.test.ts", "services/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["**/*.int.test.ts", "**/*.acceptance.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(1),
          name: "integration",
          include: ["libs/**/src/**/*.int.test.ts", "services/*/src/**/*.int.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(2),
          name: "conformance",
          include: [conformance],
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...shared,
          ...inTurn(3),
          name: "acceptance",
          include: ["libs/**/src/**/*.acceptance.test.ts", "services/*/src/**/*.acceptance.test.ts"],
          exclude: [conformance, "**/node_modules/**"],
          testTimeout: 300_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
