import type {
  ExperimentList,
  ExperimentListQuery,
  ExperimentRecord,
  ListedExperiment,
} from "@microremed/contracts";
import type { SchedulerDeps } from "../service.types.ts";

const mostNames = 100;
const longestName = 200;

/** The experiments that were submitted last. */
export async function listExperiments(
  { state }: Pick<SchedulerDeps, "state">,
  { limit }: ExperimentListQuery,
): Promise<ExperimentList> {
  return { experiments: (await state.experiments.list(limit)).map(listed) };
}

/** Without what makes a record long. */
function listed({
  id,
  status,
  episodes,
  request,
  submittedAt,
  finishedAt,
}: ExperimentRecord): ListedExperiment {
  const { model, method, environment, problems } = request;
  const about = environment ?? (typeof problems === "string" ? problems : `${problems?.length} problems`);
  return {
    ...{ id, status, episodes, submittedAt, finishedAt, about: about.slice(0, longestName) },
    models: model.slice(0, mostNames),
    methods: method.slice(0, mostNames),
  };
}
