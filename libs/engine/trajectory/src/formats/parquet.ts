import { parquetWriteBuffer } from "hyparquet-writer";
import { columns, valuesOf } from "../columns.ts";
import { defineFormat } from "./format.ts";

export const parquet = defineFormat({
  name: "parquet",
  description: "the same rows as csv, typed",
  extension: "parquet",
  write: (episodes) => {
    const rows = episodes.map(valuesOf);
    const columnData = columns.map(({ name, type }, i) => ({
      name,
      type,
      nullable: true,
      data: rows.map((row) => row[i] ?? null),
    }));
    return new Uint8Array(parquetWriteBuffer({ columnData }));
  },
});
