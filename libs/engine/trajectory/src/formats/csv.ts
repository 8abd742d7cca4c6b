import { stringify } from "csv-stringify/sync";
import { columns, valuesOf } from "../columns.ts";
import { defineFormat } from "./format.ts";

export const csv = defineFormat({
  name: "csv",
  description: "one row per episode, without the conversation",
  extension: "csv",
  write: (episodes) =>
    stringify([columns.map(({ name }) => name), ...episodes.map(valuesOf)], {
      // A cell that a spreadsheet would run as a formula is text to it with this quote in front.
      escape_formulas: true,
    }),
});
