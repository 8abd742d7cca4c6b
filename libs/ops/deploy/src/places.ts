import { fileURLToPath } from "node:url";

/** The repository's own k8s directory, with a slash at its end. */
export const k8sRoot = fileURLToPath(new URL("../../../../k8s/", import.meta.url));

/** Where the range's own pods run; the harness's namespace on clusters under test is another one. */
export const systemNamespace = "microremed-system";
/** Executors need a namespace of their own where their sandbox needs more than Pod Security's `restricted` allows. */
export const executorNamespace = "microremed-executor";
