import { fileURLToPath } from "node:url";

/** The repository's own k8s directory, with a slash at its end. */
export const k8sRoot = fileURLToPath(new URL("../../../../k8s/", import.meta.url));

/** Where the range's own pods run; the harness's namespace on clusters under test is another one. */
export const systemNamespace = "microremed-system";
/** Executors have a namespace of their own: the kubeconfigs of model-written code's accounts come from there. */
export const executorNamespace = "microremed-executor";
/** Where executors make a pod for each playbook and probe. */
export const runnerNamespace = "microremed-runners";
