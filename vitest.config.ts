import { defineConfig } from "vitest/config";

const shared = { setupFiles: ["./scripts/vitest-setup.ts"] };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["libs/*/src/**/*.test.ts", "services/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["**/*.int.test.ts", "**/*.acceptance.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          ...shared,
          name: "integration",
          include: ["libs/*/src/**/*.int.test.ts", "services/*/src/**/*.int.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...shared,
          name: "acceptance",
          include: ["libs/*/src/**/*.acceptance.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
