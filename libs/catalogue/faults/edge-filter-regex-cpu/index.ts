import { defineFault, switchFault } from "@microremed/catalogue";

/** A variable from a ConfigMap switches on a filter of requests, whose regular expression backtracks for long. */
export default defineFault({
  name: "edge-filter-regex-cpu",
  title: "Request filter that burns CPU",
  description: "edge-filter-regex-cpu: requests to the service are slow or fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...switchFault({
    variable: "HEADER_FILTER",
    effect:
      "each request is matched with a regular expression that tries ever more ways, which takes the CPU of all",
  }),
});
