import type { Clusters } from "@microremed/cluster";
import { AppError } from "@microremed/core";
import { executorService } from "@microremed/service-executor/run";
import { injectorService } from "@microremed/service-injector/run";
import { type OpenService, openService, type ServiceLogger } from "@microremed/service-kit";
import { verifierService } from "@microremed/service-verifier/run";
import type { SimCluster } from "@microremed/simcluster";
import { openLog } from "../open-log.ts";
import type { HostedServiceName } from "../service-names.ts";
import type { HostedServiceWork, ServiceWork } from "./host-messages.types.ts";
import { createHostedClusters } from "./hosted-clusters.ts";

export interface Stopping {
  readonly signal: AbortSignal;
  readonly interrupt: AbortSignal;
}

/** A service of this process that did not start. */
export class NotStarted extends Error {
  readonly service: HostedServiceName;

  constructor(service: HostedServiceName, cause: unknown) {
    super(`${service} did not start`, { cause });
    this.service = service;
  }
}

/**
 * Opens the services of this process, each with connections, rights, metrics and a log of its own, as separate processes
 * would have them. Throws `NotStarted`; the service's log says why.
 */
export async function openServices(
  { services, former }: Pick<ServiceWork, "services" | "former">,
  hosted: readonly SimCluster[],
  stopping: Stopping,
): Promise<readonly OpenService[]> {
  return Promise.all(
    services.map(async (work) => {
      const log = openLog(work.service, work.variables, work.logFile);
      try {
        return await open(work, log, hosted, former, stopping);
      } catch (thrown) {
        const { code, message } = AppError.from(thrown);
        log.error({ error_code: code, error_message: message }, "the service ends");
        throw new NotStarted(work.service, thrown);
      }
    }),
  );
}

function open(
  { service, variables }: HostedServiceWork,
  log: ServiceLogger,
  hosted: readonly SimCluster[],
  former: readonly string[],
  stopping: Stopping,
): Promise<OpenService> {
  const surroundings = { variables, log, ...stopping };
  const clusters = async (): Promise<Clusters> =>
    createHostedClusters(hosted, { former, forPrograms: service === "executor" });
  switch (service) {
    case "injector":
      return openService(injectorService(clusters), surroundings);
    case "executor":
      return openService(executorService(clusters, hosted[0]?.kubernetes), surroundings);
    case "verifier":
      return openService(verifierService(clusters), surroundings);
    default:
      return service satisfies never;
  }
}
