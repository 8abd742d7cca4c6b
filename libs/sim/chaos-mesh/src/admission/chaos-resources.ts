import {
  hasStatus,
  inGroup,
  type ResourceOptions,
  type ResourceType,
  statusSubresource,
} from "@microremed/sim-kinds";
import { chaosGroup } from "../model/chaos-kind.types.ts";
import { unknownChaosFields } from "./admission.ts";
import { chaosActionPrinter, chaosDurationPrinter } from "./chaos-printers.ts";
import { chaosDefinition, chaosSchema } from "./definitions.ts";

const inChaosGroup = inGroup(chaosGroup, "v1alpha1");

function define(resource: string, kind: string, options?: ResourceOptions): ResourceType {
  const type = inChaosGroup(resource, kind, options);
  return {
    ...type,
    installed: {
      definition: chaosDefinition(resource, kind, hasStatus(type)),
      schema: chaosSchema(resource),
      unknownFields: (object) => unknownChaosFields(resource, object),
    },
  };
}

/** One per target pod, for the daemons: only these have a /status of their own. */
const defineInternal = (resource: string, kind: string): ResourceType =>
  define(resource, kind, { subresources: [statusSubresource(kind)] });
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
  defineInternal("podhttpchaos", "PodHttpChaos"),
  defineInternal("podiochaos", "PodIOChaos"),
  defineInternal("podnetworkchaos", "PodNetworkChaos"),
  define("schedules", "Schedule"),
  define("stresschaos", "StressChaos", duration),
  define("timechaos", "TimeChaos", duration),
];
