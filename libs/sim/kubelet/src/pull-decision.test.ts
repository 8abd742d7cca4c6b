import { testGoldens } from "@microremed/sim-objects/testing";
import { pullDecision } from "./pull-decision.ts";

interface Case {
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly present: boolean;
}

testGoldens<readonly Case[]>(import.meta.url, "pull-decision", (cases) =>
  cases.map(({ present, ...spec }) => ({
    ...spec,
    present,
    ...pullDecision({ name: "main", ...spec }, present),
  })),
);
