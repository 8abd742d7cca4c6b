import { Probe } from "@microremed/contracts";
import { z } from "zod";
import { defineLook } from "./look.ts";

export const getEvents = defineLook({
  name: "get_events",
  description: "Get the namespace's events, the latest last.",
  arguments: z.object({
    of: z.string().optional().describe("Those of one object, e.g. pod/cart-0; default: all"),
  }),
  example: {},
  probe: (args) => Probe.parse({ kind: "events", ...args }),
});
