import { testCluster } from "@microremed/cluster/testing";
import { overHttp } from "./testing/clusters-under-test.ts";

testCluster("a cluster over HTTP", overHttp);
