import type { ContainerRuntime, PodSandbox, PostgresState } from "@microremed/sim-machine";

/** A connection of `psql` to a server. */
export interface PostgresConnection {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  /** What its transaction has made of the roles and databases. */
  state: PostgresState;
  /** Between BEGIN and COMMIT. */
  inTransaction: boolean;
  /** Cluster time, ms. */
  now(): number;
}
