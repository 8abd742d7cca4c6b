export { type ClusterUnderTest, testCluster } from "./test-cluster.ts";
