import { AppError } from "@microremed/core";
import { judgedByAll, measureBaseline } from "@microremed/verification";
import type { CheckPlace } from "./check-environment.ts";

/** A target whose faults cannot be judged. */
export interface CheckedBaseline {
  readonly target: string;
  /** The oracle that does not pass on the healthy system, and its reason. */
  readonly why: string;
}

/** Measures each target by every oracle of the faults that accept it, as before an injection; those that fail. */
export async function checkBaselines({
  environment,
  cluster,
  catalogue,
  signal,
}: CheckPlace): Promise<readonly CheckedBaseline[]> {
  const { namespace } = environment;
  const checked = environment.targets.map(async (target): Promise<CheckedBaseline[]> => {
    const context = { cluster, namespace, environment, target, signal };
    try {
      await measureBaseline(context, judgedByAll(catalogue, environment, target));
      return [];
    } catch (error) {
      const { code, message } = AppError.from(error);
      if (code !== "environment-unhealthy") throw error;
      return [{ target, why: message }];
    }
  });
  return (await Promise.all(checked)).flat();
}
