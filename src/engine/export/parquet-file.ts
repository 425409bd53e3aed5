/** Writes an export as a Parquet file, a group of rows at a time. */
import type { ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { ExportColumn, ExportRow, ExportTable } from "../../domain/export/export-table.ts";

/** Rows of a group: they are in memory at a time, and each group costs some bytes until the end of the file. */
const GROUP_ROWS = 10_000;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

/** Yields the file in pieces. */
export async function* exportParquet({ columns, zone, pages }: ExportTable): AsyncGenerator<Uint8Array> {
  // Few exports are made, and fewer of this format.
  const { ByteWriter, ParquetWriter: Writer } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const take = (): Uint8Array => {
    const written = writer.getBytes().slice();
    writer.index = 0;
    return written;
  };
  const file = new Writer({
    writer,
    schema: [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)],
    kvMetadata: [{ key: "timezone", value: zone }],
    createdBy: "hemgate",
  });
  let group: ExportRow[] = [];
  const write = async (): Promise<Uint8Array> => {
    await file.write({
      columnData: columns.map((column, index) => dataOf(column, index, group)),
      rowGroupSize: GROUP_ROWS,
    });
    group = [];
    return take();
  };
  for await (const rows of pages) {
    for (let start = 0; start < rows.length; ) {
      const part = rows.slice(start, start + GROUP_ROWS - group.length);
      start += part.length;
      group.push(...part);
      if (group.length === GROUP_ROWS) yield await write();
    }
  }
  if (group.length > 0) yield await write();
  await file.finish();
  yield take();
}

function elementOf({ name, type }: ExportColumn): SchemaElement {
  switch (type) {
    case "time":
      return {
        name,
        type: "INT64",
        repetition_type: "REQUIRED",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      };
    case "text":
      return { name, type: "BYTE_ARRAY", repetition_type: "OPTIONAL", converted_type: "UTF8" };
    case "number":
      return { name, type: "DOUBLE", repetition_type: "OPTIONAL" };
    case "boolean":
      return { name, type: "BOOLEAN", repetition_type: "OPTIONAL" };
    default:
      return type satisfies never;
  }
}

function dataOf({ name, type }: ExportColumn, index: number, rows: readonly ExportRow[]): ColumnSource {
  const data = rows.map((row) => row[index] ?? null);
  return { name, offsetIndex: false, data: type === "time" ? data.map((atMs) => BigInt(atMs ?? 0)) : data };
}
