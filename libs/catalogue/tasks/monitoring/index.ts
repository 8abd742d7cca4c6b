import { defineWatch } from "@microremed/catalogue";

/** Is something wrong now? Asked at the end of every window, until the answer is yes; a fault may come, or none. */
export default defineWatch({
  name: "monitoring",
  title: "Watch a system under load, and say when something goes wrong",
  of: "detection",
});
