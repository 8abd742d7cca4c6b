import {
  describeDifference,
  differenceOf,
  injectFailure,
  prepareArena,
  readInventory,
  readRecord,
  restoreArena,
  systemObjects,
  withoutRewritten,
} from "@microremed/arena";
import { arenaOn } from "@microremed/arena/testing";
import {
  customKinds,
  type Fault,
  type Remedy,
  type RemedyContext,
  shortcutsOf,
  targetOf,
  targetText,
} from "@microremed/catalogue";
import { sampleOf } from "@microremed/catalogue/testing";
import { Timeouts } from "@microremed/contracts";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { expect, test } from "vitest";
import { remedyContext } from "./remedy-context.ts";
import { catalogue, type ProofPlace, placesFor } from "./testing/entries.ts";
import { openPlace, type Place, servePlace } from "./testing/proof-place.ts";

const timeoutSeconds = 300;
/** A fault that needs longer would be proven here, and have no effect in every episode. */
const { injectionSeconds } = Timeouts.parse({});

async function carryOut(remedy: Remedy, context: RemedyContext, place: Place) {
  const { code, output } = await place.run(["set -e", ...remedy.commands(context)].join("\n"));
  expect(code, `${remedy.name}: ${output}`).toBe(0);
}

const faults = catalogue.faults.all().filter(({ control }) => !control);

/**
 * `npm run prove` tries each kind of workload and every shortcut with a real kubectl; else a sample of the faults is tried, in
 * process.
 */
const isWhole = process.env["WHOLE_PROOF"] === "true";
const proofs = sampleOf("faults", faults).flatMap((fault) => {
  const places = placesFor(fault);
  return (isWhole ? places : places.slice(0, 1)).map((place) => ({ ...place, fault, name: fault.name }));
});

/** Shortcuts that must not pass; doing nothing is tried by itself. */
function shortcutsTried(fault: Fault, context: RemedyContext): readonly Remedy[] {
  const fit = shortcutsOf(fault).filter((one) => one.name !== "noop" && (one.applies?.(context) ?? true));
  if (isWhole) return fit;
  return [fit.find((one) => fault.shortcuts.includes(one)) ?? fit[0]].filter((one) => one !== undefined);
}

/** The runbook by what the fault's evidence finds, which is its ground truth; where it repairs some targets only, a repair says which. */
function byRunbook(
  fault: Fault,
  { environment, target }: Pick<ProofPlace, "environment" | "target">,
): Remedy[] {
  const { objects, mechanism, systemLevel, faultType } = fault.truth({ environment, target });
  const { runbook, withoutRunbook } = fault;
  if (withoutRunbook !== undefined) return [];
  const [object] = objects;
  const workload = targetOf(environment, target)?.name;
  if (!runbook || !object || !workload || !mechanism || !systemLevel || !faultType) return [];
  const labels = { mechanism, systemLevel, faultType };
  const { kind, name, field, wrong, right } = object;
  const finding = {
    object: { kind, name },
    field,
    wrong,
    right,
    workload,
    seen: "cause",
    ...labels,
  } as const;
  const commands = ({ namespace }: RemedyContext): readonly string[] =>
    runbook.act({ namespace, target: workload, attempt: 1, observations: [], finding }).commands;
  return [{ name: "runbook", doc: "what an expert does", commands }];
}

test.each(faults)("$name: says what is wrong and has what belongs to it", (fault) => {
  for (const { environment, target } of placesFor(fault))
    expect(fault.truth({ environment, target }).objects, "truth(): objects").not.toEqual([]);
  expect(fault.repairs.length, "repairs: at least one").toBeGreaterThan(0);
  expect(catalogue.oracles.get(fault.symptom).symptom, `symptom() of ${fault.symptom}`).toBeDefined();
  const remedies = [...fault.repairs, ...fault.shortcuts].map(({ name }) => name);
  expect(new Set(remedies).size, "remedies have names of their own").toBe(remedies.length);
  for (const { name, applies } of fault.strengths ?? [])
    expect(
      catalogue.environments
        .all()
        .some((environment) =>
          fault
            .targets(environment)
            .some((ref) => applies?.({ environment, target: targetText(ref) }) ?? true),
        ),
      `strengths: ${name} can show on a target`,
    ).toBe(true);
  const { evidence, withoutEvidence, runbook, withoutRunbook } = fault;
  expect(evidence ?? withoutEvidence, "evidence, or withoutEvidence says why there is none").toBeDefined();
  expect(runbook ?? withoutRunbook, "runbook, or withoutRunbook says why there is none").toBeDefined();
});

test.concurrent.each(proofs)(
  "$name: acts on the $kind $target, removing it leaves nothing, no shortcut ends it, each repair and the runbook do",
  async ({ fault, environment, target }: ProofPlace & { readonly fault: Fault }) => {
    await using place = await (isWhole ? servePlace(fault.name, environment) : openPlace(environment));
    const { cluster } = place;
    const arena = arenaOn(cluster, environment, environment.namespace, catalogue);
    const { namespace } = arena;
    const judged = judgedFault(catalogue, fault.name);
    const context = { ...arena, target };
    await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });

    const inject = async (after: string) => {
      const body = await injectFailure(arena, {
        failure: fault.name,
        target,
        timeoutSeconds: injectionSeconds,
      });
      if (body.status !== "ok") throw new Error(`injected ${after}, it has no effect: ${body.reason}`);
      return { baseline: body.baseline, injection: body.injection, remedyAt: null };
    };
    const restore = () => restoreArena(arena, { failure: fault.name, target, timeoutSeconds: 900 });

    const evidence = await inject("first");
    const idle = await verifyRecovery(context, judged, evidence, timeoutSeconds);
    expect(idle, `doing nothing: ${idle.reason}`).toMatchObject({ recovered: false });
    // An update that goes well shows for a moment what a fault does: without a remedy the symptom must stay.
    // An oracle that a cheaper one's refusal made needless is not there.
    const symptom = idle.oracles.find(({ oracle }) => oracle === fault.symptom);
    expect(symptom?.passed ?? false, `the symptom after doing nothing: ${symptom?.reason}`).toBe(false);
    expect((await fault.status(context)).present, "status(): present while it acts").toBe(true);
    await fault.remove(context);
    expect((await fault.status(context)).present, "status(): present after remove()").toBe(false);
    const record = await readRecord(cluster, namespace);
    const inventory = await readInventory(cluster, namespace, customKinds(environment));
    const left = differenceOf(record ? systemObjects(record) : [], withoutRewritten(record ?? {}, inventory));
    const words = describeDifference(left);
    expect(words, `left after remove(): ${words}`).toBe("");
    await restore();

    let tried = "remove()";
    const remedied = remedyContext(fault, environment, namespace, target);
    for (const shortcut of shortcutsTried(fault, remedied)) {
      const proven = await inject(`again to try ${shortcut.name}, after ${tried} and a restore`);
      tried = shortcut.name;
      await carryOut(shortcut, remedied, place);
      const verdict = await verifyRecovery(context, judged, proven, timeoutSeconds);
      expect(verdict, `${shortcut.name} is a shortcut: ${verdict.reason}`).toMatchObject({
        recovered: false,
      });
      await restore();
    }

    const repairs = [...fault.repairs, ...byRunbook(fault, { environment, target })];
    for (const repair of repairs.filter((one) => one.applies?.(remedied) ?? true)) {
      const proven = await inject(`again to try ${repair.name}, after ${tried} and a restore`);
      tried = repair.name;
      await carryOut(repair, remedied, place);
      const verdict = await verifyRecovery(context, judged, proven, timeoutSeconds);
      expect(verdict, `${repair.name}: ${verdict.reason}`).toMatchObject({ recovered: true });
      const expected = judged.oracles.map(({ name }) => name).sort();
      expect(verdict.oracles.map(({ oracle }) => oracle).sort()).toEqual(expected);
      await restore();
    }
  },
  isWhole ? 3_600_000 : 1_800_000,
);

const controls = catalogue.faults.all().filter(({ control }) => control);

test.each(controls)("$name: injects nothing, each repair keeps the system whole", async (fault) => {
  const [{ environment, target }] = placesFor(fault);
  await using place = openPlace(environment);
  const arena = arenaOn(place.cluster, environment, environment.namespace, catalogue);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const body = await injectFailure(arena, { failure: fault.name, target, timeoutSeconds: injectionSeconds });
  if (body.status !== "ok") throw new Error(body.reason);
  expect(body.injection).toMatchObject({ expiresAt: null, verdict: { passed: true } });
  const { baseline, injection } = body;
  const remedied = remedyContext(fault, environment, environment.namespace, target);
  for (const repair of fault.repairs) {
    await carryOut(repair, remedied, place);
    const verdict = await verifyRecovery(
      { ...arena, target },
      judgedFault(catalogue, fault.name),
      { baseline, injection, remedyAt: null },
      timeoutSeconds,
    );
    expect(verdict, `${repair.name}: ${verdict.reason}`).toMatchObject({ recovered: true, clean: true });
  }
});
