import { defaultTask, type ModelSettings } from "@microremed/contracts";
import type { EpisodeRow } from "./episode-row.ts";
import { type Summary, summarise } from "./summary.ts";

/** How one model fared with one method at one task. */
export interface Group {
  readonly model: string;
  readonly method: string;
  readonly task: string;
  /** True for the reference/* models, which are no language models: rules, or a small network. */
  readonly ruleBased: boolean;
  /** What a rule-based policy marks for the models beside it. */
  readonly bound: Bound | null;
  /** How the model was asked; `null`: it was not. */
  readonly settings: ModelSettings | null;
  readonly summary: Summary;
}

/** What chance and idleness achieve, and what an expert's rules do. */
export type Bound = "floor" | "ceiling";

const bounds: Readonly<Record<string, Bound>> = {
  "reference/noop": "floor",
  "reference/random": "floor",
  "reference/runbook": "ceiling",
};

/** In the order in which models, methods and tasks first appear. */
export function groupsOf(episodes: readonly EpisodeRow[]): Group[] {
  const groups = Map.groupBy(episodes, ({ model, method, task }) => JSON.stringify([model, method, task]));
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { model, method, task } = first;
    return [
      {
        model,
        method,
        task,
        ruleBased: isRuleBased(model),
        bound: bounds[model] ?? null,
        settings: commonSettings(rows),
        summary: summarise(rows),
      },
    ];
  });
}

/** Different settings within one experiment mean that the models file was changed meanwhile: all are said. */
function commonSettings(rows: readonly EpisodeRow[]): ModelSettings | null {
  const all = rows.flatMap(({ settings }) => settings ?? []);
  const different = [...new Map(all.map((settings) => [settings.stated, settings])).values()];
  if (different.length === 0) return null;
  return {
    stated: different.map(({ stated }) => stated).join("; changed later to: "),
    deviations: [...new Set(different.flatMap(({ deviations }) => deviations))],
  };
}

/** What went through the stages of training in `training/`: no rules, and no language model to rely on. */
const smallNetwork = "reference/learned";

/** Whether a model's name is that of a reference model, which is not a language model. */
export function isRuleBased(model: string): boolean {
  return model.startsWith("reference/");
}

/** The model's name as every report prints it. */
export function modelLabel(model: string): string {
  if (model === smallNetwork) return `${model} (small network)`;
  return isRuleBased(model) ? `${model} (rule-based)` : model;
}

export function groupLabel({ model, ...how }: Pick<Group, "model" | "method" | "task">): string {
  return `${modelLabel(model)}, ${methodLabel(how)}`;
}

/** The method, with its task unless that is the usual one. */
export function methodLabel({ method, task }: Pick<Group, "method" | "task">): string {
  return task === defaultTask ? method : `${method} at ${task}`;
}
