import { testCluster } from "@microremed/cluster/testing";
import { inProcess } from "./testing/clusters-under-test.ts";

testCluster("a cluster in process", inProcess);
