import { defineCycle } from "@microremed/catalogue";

/** The whole life of an incident: the agent notices it, says where it is and what it is, and repairs it. */
export default defineCycle({
  name: "cycle",
  title: "Detect, localize, analyse and repair the same incident in turn",
  parts: ["detection", "localization", "analysis", "mitigation"],
});
