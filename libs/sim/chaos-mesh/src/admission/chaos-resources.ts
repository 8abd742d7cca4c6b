import { chaosActionPrinter, chaosDurationPrinter } from "../printers/policy-printers.ts";
import { inGroup } from "../resource-type/define.ts";
import type { ResourceType } from "../resource-type/resource-type.ts";

const define = inGroup("chaos-mesh.org", "v1alpha1");
const action = { printer: chaosActionPrinter };
const duration = { printer: chaosDurationPrinter };

/** Chaos Mesh 2.7: the plural of an experiment kind is its singular. */
export const chaosMeshResources: readonly ResourceType[] = [
  define("dnschaos", "DNSChaos", action),
  define("httpchaos", "HTTPChaos", duration),
  define("iochaos", "IOChaos", action),
  define("jvmchaos", "JVMChaos", action),
  define("networkchaos", "NetworkChaos", action),
  define("podchaos", "PodChaos"),
  define("podhttpchaos", "PodHttpChaos"),
  define("podiochaos", "PodIOChaos"),
  define("podnetworkchaos", "PodNetworkChaos"),
  define("schedules", "Schedule"),
  define("stresschaos", "StressChaos", duration),
  define("timechaos", "TimeChaos", duration),
];
