import type { Pod } from "@microremed/cluster";

/** How often the containers of a pod were started again in it. */
export const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
