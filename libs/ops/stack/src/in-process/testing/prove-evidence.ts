import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import {
  drawnParameters,
  type Environment,
  type Fault,
  type Finding,
  isCall,
  targetText,
  truthOf,
} from "@microremed/catalogue";
import { aGradeContext, sampleOf } from "@microremed/catalogue/testing";
import { createRng } from "@microremed/core";
import { needsOf } from "@microremed/llm/policy-needs";
import { diagnose, keyOf } from "@microremed/reference-models";
import { catalogueConfig, loadCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aToolUser, type ToolCall } from "./tool-user.ts";

const dirs = catalogueConfig.CATALOGUE_DIRS.parse(process.env["CATALOGUE_DIRS"]);
const catalogue = await loadCatalogue({ dirs });
const seconds = 1000;
/** As in suites that are drawn: pods of some systems are not ready for a minute. */
const injectionSeconds = 120;
const sizeOf = ({ workloads }: Environment): number => Object.keys(workloads).length;
const environments = catalogue.environments.all().toSorted((a, b) => sizeOf(a) - sizeOf(b));
/** Evidence that takes another tool finds nothing here, as in a run. */
const tools = needsOf("reference/expert")?.tools ?? [];

const found = catalogue.faults.all().filter(({ evidence }) => evidence !== undefined);

/** An environment that has targets for a fault, and some of them. */
interface Place {
  readonly environment: Environment;
  readonly target: string;
}

/** Where a fault is tried: in each environment that accepts it the first target and the last, the smallest system first. */
function placesOf(fault: Fault): Place[] {
  return environments.flatMap((environment) => {
    const targets = fault.targets(environment).map(targetText);
    const ends = targets.length > 1 ? [targets[0], targets.at(-1)] : targets;
    return ends.flatMap((target) => (target === undefined ? [] : [{ environment, target }]));
  });
}

type User = Awaited<ReturnType<typeof aToolUser>>;

/** What all evidence together shows, and the calls that were made for it. */
export async function observeAll(user: User, { namespace, name }: Environment, historyFrom: number) {
  const answers = new Map<string, string>();
  for (;;) {
    const step = diagnose({ report: { environment: name, namespace }, tools, answers }, found);
    if (!isCall(step)) return { step, calls: [...answers.keys()].join("\n") };
    const { answer, replies } = await user.call(step.tool, step.arguments, historyFrom);
    // Else it finds nothing, which looks like a healthy system.
    const refused = replies.find(({ status }) => status === "refused");
    if (refused) throw new Error(`${keyOf(step)} was refused: ${refused.output}`);
    answers.set(keyOf(step), step.tool === "exec_shell" ? asShown(answer, replies) : answer);
  }
}

/** With the first line that agents get of every command: how it ended. */
const asShown = (printed: string, replies: ToolCall["replies"]): string =>
  `exit code ${replies.at(-1)?.exitCode ?? "unknown"}\n${printed.trimEnd() || "(no output)"}`;

const causeOf = ({ object, field, wrong, right, mechanism, systemLevel, faultType }: Finding) => ({
  ...{ object, field, wrong, right, mechanism },
  ...{ system_level: systemLevel, fault_type: faultType },
});

/** How much is tried: `choose` takes some of a fault's places, or of the environments for a healthy system. */
interface Extent {
  readonly choose: <T>(all: readonly T[]) => readonly T[];
}

/** Tests that the evidence of every fault finds it, with values as problems draw them, and nothing else, and nothing in a healthy system. */
export function proveEvidence({ choose }: Extent): void {
  const cases = sampleOf("faults", found).flatMap((fault) =>
    choose(placesOf(fault)).map((place) => ({
      ...{ ...place, fault, name: fault.name },
      parameters: drawnParameters(fault, place, undefined, createRng(1, `${fault.name} on ${place.target}`)),
    })),
  );
  const healthy = choose(environments);

  test.each(cases)(
    "$name: found on $target of $environment.name by the tools alone, and nothing else is",
    { timeout: 300 * seconds },
    async ({ fault, environment, target, parameters }) => {
      await using user = await aToolUser(catalogue, environment);
      const { arena } = user;
      await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
      const incident = {
        ...{ failure: fault.name, target, concealment: "neutral" as const },
        ...(parameters && { parameters }),
      };
      const body = await injectFailure(arena, { ...incident, timeoutSeconds: injectionSeconds });
      if (body.status !== "ok") throw new Error(body.reason);
      const { step, calls } = await observeAll(user, environment, body.baseline.takenAt);
      const truths = [truthOf(fault, environment, { target, parameters })];
      const causes = step.map(({ finding }) => causeOf(finding));
      const where = { environment, namespace: environment.namespace };
      for (const [task, answer] of [
        ["localization", { objects: causes.map(({ object }) => object) }],
        ["analysis", { causes }],
      ] as const) {
        const grade = await catalogue.tasks.get(task).grade({ ...aGradeContext(truths, answer), ...where });
        expect(grade, `${task}: ${grade.reason}, by\n${calls}`).toMatchObject({ passed: true });
      }
      await restoreArena(arena, { ...incident, timeoutSeconds: 900 });
    },
  );

  test.each(healthy)(
    "$name: no evidence finds anything in a healthy system",
    { timeout: 300 * seconds },
    async (environment) => {
      await using user = await aToolUser(catalogue, environment);
      await prepareArena(user.arena, { redeploy: false, timeoutSeconds: 900 });
      const { step, calls } = await observeAll(user, environment, await user.cluster.clock.now());
      expect(step, calls).toEqual([]);
    },
  );
}
