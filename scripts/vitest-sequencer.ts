import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = join(import.meta.dirname, "..");

/**
 * Files that take ten seconds or more, the longest first. Their size does not say so, and on a machine that has no times of
 * an earlier run nothing else does: started last, one of them keeps one core busy while the others are idle.
 */
export const longFiles = [
  "libs/ops/real-cluster/src/outcomes.real.test.ts",
  "libs/ops/real-cluster/src/conformance.real.test.ts",
  "libs/ops/real-cluster/src/product.real.test.ts",
  "libs/ops/conformance/src/conformance.acceptance.test.ts",
  "libs/ops/audit/src/fault-families.acceptance.test.ts",
  "libs/ops/stack/src/in-process/workloads.acceptance.test.ts",
  "libs/ops/stack/src/in-process/false-alarms.acceptance.test.ts",
  "libs/surface/cli/src/problems-over-the-bus.int.test.ts",
  "libs/ops/stack/src/in-process/nothing-of-the-harness.test.ts",
  "libs/ops/stack/src/in-process/same-telemetry.test.ts",
  "libs/ops/stack/src/in-process/tool-answers.test.ts",
  "libs/ops/stack/src/in-process/acts-name-nothing.test.ts",
  "libs/surface/cli/src/agent-run/agent-run.int.test.ts",
  "libs/ops/stack/src/sessions.int.test.ts",
  "libs/ops/deploy/src/runner-pods.int.test.ts",
  "libs/surface/cli/src/gateway/mcp.int.test.ts",
  "libs/ops/stack/src/cluster-host/start-host.int.test.ts",
  "libs/sim/port-suites/src/prober.int.test.ts",
  "libs/surface/cli/src/gateway/up.int.test.ts",
  "libs/surface/cli/src/play/play.int.test.ts",
  "libs/surface/cli/src/gateway/typescript-package.int.test.ts",
  "libs/surface/gym/src/server/serve-gym.int.test.ts",
  "libs/surface/cli/src/resume.int.test.ts",
  "libs/surface/cli/src/agent-run/play-session.int.test.ts",
  "libs/surface/cli/src/range.int.test.ts",
  "libs/ops/deploy/src/overlays.int.test.ts",
  "libs/sim/port-suites/src/playbook-runner-pods.int.test.ts",
  "libs/ports/ansible/src/sandboxed/run-playbook.int.test.ts",
  "libs/ports/ansible/src/sandboxed/warm/warm-runner.int.test.ts",
  "libs/surface/cli/src/replay.int.test.ts",
  "libs/engine/arena/src/concealment.int.test.ts",
  "libs/engine/arena/src/harness-words.int.test.ts",
  "libs/surface/cli/src/command-line.int.test.ts",
  "libs/surface/cli/src/check-saved.int.test.ts",
  "libs/surface/cli/src/dataset/dataset.int.test.ts",
  "libs/surface/cli/src/traces/traces.int.test.ts",
  "libs/ops/dataset/src/no-number-says-it.test.ts",
  "services/executor/src/paused.int.test.ts",
  "libs/ops/deploy/src/target/prepare-target.int.test.ts",
  "libs/ops/deploy/src/components.int.test.ts",
  "libs/ops/stack/src/orphans.int.test.ts",
  "libs/surface/cli/src/examples.int.test.ts",
  "libs/surface/cli/src/gateway/python-package.int.test.ts",
  "libs/sim/port-suites/src/playbook-runner.int.test.ts",
  "libs/sim/port-suites/src/sandboxed-runs.int.test.ts",
  "libs/engine/arena/src/leftovers.int.test.ts",
  "libs/sim/apiserver/src/kubectl.int.test.ts",
  "libs/surface/cli/src/preferences/preferences.int.test.ts",
  "libs/surface/cli/src/demo.int.test.ts",
  "libs/surface/cli/src/environments/environments.int.test.ts",
  "libs/sim/apiserver/src/ansible.int.test.ts",
  "libs/surface/cli/src/secrets.int.test.ts",
  "libs/engine/arena/src/load-generator.int.test.ts",
  "libs/engine/arena/src/quota.int.test.ts",
  "libs/surface/cli/src/observability.int.test.ts",
  "services/scheduler/src/cluster-quarantine.int.test.ts",
  "libs/sim/apiserver/src/room.int.test.ts",
  "libs/surface/cli/src/old-documents.int.test.ts",
  "libs/ports/state/src/equivalence/equivalence.int.test.ts",
  "libs/ops/stack/src/in-process/range.test.ts",
  "libs/ops/stack/src/in-process/misbehaving-models.test.ts",
  "libs/ops/stack/src/in-process/sessions.test.ts",
  "libs/ops/dataset/src/generate-dataset.test.ts",
  "libs/ops/stack/src/in-process/noise-contract.test.ts",
  "libs/ops/stack/src/in-process/several-faults.test.ts",
  "libs/engine/registry/src/load-catalogue.test.ts",
  "libs/ops/audit/src/drawn-values.test.ts",
  "libs/ops/stack/src/in-process/noisy-problems.test.ts",
  "libs/engine/registry/src/problems/draw-pools.test.ts",
  "libs/engine/registry/src/problems/drawn-times.test.ts",
  "libs/surface/gym/src/create-gym.test.ts",
  "libs/ops/stack/src/in-process/code-agents.test.ts",
  "libs/ops/audit/src/shown-fields.test.ts",
  "libs/ops/audit/src/shown-changes.test.ts",
  "libs/ops/audit/src/environment-calls.test.ts",
  "libs/engine/arena/src/stores-changed.test.ts",
  "libs/ops/import/src/read-source.test.ts",
  "libs/ops/stack/src/in-process/watch.test.ts",
  "libs/surface/gym/src/traces/make-traces.test.ts",
  "libs/ops/stack/src/in-process/problems.test.ts",
  "libs/ops/stack/src/in-process/coming-and-going.test.ts",
  "libs/ops/stack/src/in-process/nothing-of-before.test.ts",
  "libs/ops/audit/src/audit-tasks.test.ts",
  "libs/ops/stack/src/in-process/beside-lookalikes.test.ts",
  "libs/ops/audit/src/twins/harmless-twins.test.ts",
  "libs/sim/shell/src/exec-in-container.test.ts",
  "libs/sim/shell/src/plain/plain-script.test.ts",
  "libs/sim/simcluster/src/snapshot.test.ts",
  "libs/engine/arena/src/changed-pods.test.ts",
  "libs/engine/registry/src/find-entries.test.ts",
  "libs/surface/gym/src/reward/known-hacks.test.ts",
  "libs/ops/audit/src/twins/lookalikes.test.ts",
  "libs/engine/arena/src/every-kind.test.ts",
  "libs/ops/stack/src/in-process/broken-off-injection.test.ts",
  "libs/ops/stack/src/in-process/acts-within-a-turn.test.ts",
  "libs/engine/registry/src/replacements.test.ts",
  "libs/surface/cli/src/catalogue.test.ts",
  "libs/engine/solving/src/own-entries.test.ts",
  "libs/ops/stack/src/in-process/mixed-catalogues.test.ts",
  "libs/ops/audit/src/environment-contract.test.ts",
  "libs/ops/audit/src/remedy-contract.test.ts",
  "libs/surface/cli/src/audit.test.ts",
  "libs/ops/audit/src/fault-contract.test.ts",
  "libs/ops/audit/src/fault-families.test.ts",
  "scripts/pack/build-package.test.ts",
  "libs/engine/arena/src/persistence.test.ts",
  "libs/ops/audit/src/plan-audit.test.ts",
  "libs/ops/stack/src/in-process/outside-catalogue.test.ts",
  "libs/engine/arena/src/arena.test.ts",
];

const missing = longFiles.filter((file) => !existsSync(join(root, file)));
if (missing.length > 0)
  throw new Error(
    `scripts/vitest-sequencer.ts names ${missing.join(", ")}, which is not there: write its new path, or take it out`,
  );
const places = new Map(longFiles.map((file, place) => [join(root, file), place]));

/** Vitest's order of the test files, with the long ones first in each project, and the project of the longest first. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? longFiles.length;
    const longFirst = sorted.toSorted((a, b) => place(a) - place(b));
    // The files of a project stay together: a worker serves one project alone.
    return [...Map.groupBy(longFirst, ({ project }) => project).values()].flat();
  }
}
