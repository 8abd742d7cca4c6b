import { describe, type TestAPI, test } from "vitest";
import type { Cluster } from "../cluster.types.ts";
import { accessTests } from "./suite/access-tests.ts";
import { containerTests } from "./suite/container-tests.ts";
import { objectTests } from "./suite/object-tests.ts";
import { timeTests } from "./suite/time-tests.ts";

/** A cluster under test: with its administrator's rights, empty but for what every new cluster has. */
export interface ClusterUnderTest extends AsyncDisposable {
  readonly cluster: Cluster;
  /** The same cluster for the user of a kubeconfig that it gave. */
  connect(kubeconfig: string): Promise<Cluster>;
}

export interface ClusterSuite {
  readonly test: TestAPI;
  readonly create: () => Promise<ClusterUnderTest>;
}

/**
 * What every driver of the port does. `create` gives a cluster that runs pods of the image `busybox` and of a
 * Deployment `web` in the namespace `shop` of `aWorkload`; it is disposed after each test.
 */
export function testCluster(name: string, create: () => Promise<ClusterUnderTest>): void {
  describe(name, () => {
    const suite: ClusterSuite = { test, create };
    objectTests(suite);
    timeTests(suite);
    containerTests(suite);
    accessTests(suite);
  });
}
