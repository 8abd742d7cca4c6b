import { inGroup, type ResourceOptions, type ResourceType } from "@microremed/sim-kinds";
import { chaosGroup } from "../model/chaos-kind.types.ts";
import { unknownChaosFields } from "./admission.ts";
import { chaosActionPrinter, chaosDurationPrinter } from "./chaos-printers.ts";
import { chaosDefinition, chaosSchema } from "./definitions.ts";

const inChaosGroup = inGroup(chaosGroup, "v1alpha1");

const define = (resource: string, kind: string, options?: ResourceOptions): ResourceType => ({
  ...inChaosGroup(resource, kind, options),
  installed: {
    definition: chaosDefinition(resource, kind),
    schema: chaosSchema(resource),
    unknownFields: (object) => unknownChaosFields(resource, object),
  },
});
const action = { printer: chaosActionPrinter };
const duration = { printer: chaosDurationPrinter };

/** Chaos Mesh 2.7: the plural of an experiment kind is its singular. */
export const chaosResources: readonly ResourceType[] = [
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
