import { nameColumn, type Printer, text } from "@microremed/sim-kinds";

/** The `additionalPrinterColumns` of Chaos Mesh's own CRDs; with them AGE is not shown. */
export const chaosDurationPrinter: Printer = {
  columns: [nameColumn, text("Duration")],
  cells: (object) => [object.metadata.name, object.spec?.duration ?? null],
};

export const chaosActionPrinter: Printer = {
  columns: [nameColumn, text("Action"), text("Duration")],
  cells: (object) => [object.metadata.name, object.spec?.action ?? null, object.spec?.duration ?? null],
};
