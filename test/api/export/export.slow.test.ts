import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/duration.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import { makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";
import { csvOf, EXPORT, openHouse, POLL_MS } from "./export-house.ts";

async function problemOf(house: RealHouse, query: Record<string, string>): Promise<{ status: number; detail: string }> {
  const answer = await house.ask({ method: "GET", url: EXPORT, query });
  return { status: answer.statusCode, detail: answer.json<{ detail: string }>().detail };
}

describe("the export of energy", () => {
  test("a CSV file has units in its header, the house's offset in its times, and both directions of energy", async () => {
    const { house } = await openHouse();
    await using _ = house;
    await house.pass(3 * HOUR_MS);
    const rows = await csvOf(house, { from: "2026-06-21T01:00:00Z", to: "2026-06-21T02:00:00Z" });
    expect(rows).toStrictEqual([
      {
        time: "2026-06-21T03:00:00+02:00",
        device: "meter",
        kind: "meter",
        power_kw: "2",
        energy_in_kwh: "2",
        energy_out_kwh: "0",
        soc_percent: "",
        known_percent: "100",
      },
      {
        time: "2026-06-21T03:00:00+02:00",
        device: "battery",
        kind: "battery",
        power_kw: "-1",
        energy_in_kwh: "0",
        energy_out_kwh: "1",
        soc_percent: "55.5",
        known_percent: "100",
      },
    ]);
  });

  test("a time in which a device was silent has a row with empty cells, and no 0", async () => {
    const { house, meter } = await openHouse();
    await using _ = house;
    await house.pass(HOUR_MS);
    meter.failsReads = new DeviceError("unreachable", "no answer");
    await house.pass(2 * HOUR_MS);
    meter.failsReads = null;
    await house.pass(HOUR_MS);
    const rows = await csvOf(house, {
      from: "2026-06-21T00:00:00Z",
      resolution: "QUARTER_HOUR",
      devices: "meter",
      timezone: "UTC",
    });
    const silent = rows.find(({ time }) => time === "2026-06-21T02:00:00+00:00");
    expect(silent).toMatchObject({ power_kw: "", energy_in_kwh: "", energy_out_kwh: "", known_percent: "0" });
    expect(rows.map(({ time }) => time).slice(0, 2)).toStrictEqual([
      "2026-06-21T00:00:00+00:00",
      "2026-06-21T00:15:00+00:00",
    ]);
    expect(rows[1]).toMatchObject({ power_kw: "2", energy_in_kwh: "0.5", known_percent: "100" });
  });

  test("a direction that a device does not measure is empty", async () => {
    const home = makeHome();
    home.add("import-only", { pollMs: POLL_MS, values: { "meter.energyImport": 1_000 } });
    await using house = await openRealHouse({ home });
    for (let step = 1; step <= 12; step++) {
      home.devices["import-only"]?.show("meter.energyImport", 1_000 + step * 100);
      await house.pass(POLL_MS);
    }
    const rows = await csvOf(house, { from: "2026-06-21", resolution: "QUARTER_HOUR" });
    const known = rows.filter(({ known_percent }) => known_percent === "100");
    expect(known.length).toBeGreaterThan(1);
    for (const row of known)
      expect(row).toMatchObject({
        energy_in_kwh: expect.stringMatching(/^0\.(3|29)/),
        energy_out_kwh: "",
        power_kw: "",
      });
  });
});

describe("the export of raw readings", () => {
  test("each reading is a row with a column for each point, and where the device is, is not in it", async () => {
    const { house } = await openHouse();
    await using _ = house;
    await house.pass(20 * MINUTE_MS);
    const rows = await csvOf(house, { from: "2026-06-21", resolution: "RAW", devices: "battery, meter" });
    expect(Object.keys(rows[0] ?? {})).toStrictEqual([
      "time",
      "device",
      "battery_power_w",
      "battery_soc_percent",
      "battery_mode",
      "meter_power_w",
      "meter_voltage_l1_v",
      "meter_frequency_hz",
    ]);
    const meter = rows.find(({ device }) => device === "meter");
    expect(meter).toMatchObject({
      battery_power_w: "",
      battery_mode: "",
      meter_power_w: "2000",
      meter_frequency_hz: "50.01",
    });
    expect(meter?.["time"]).toMatch(/^2026-06-21T02:\d\d:\d\d\.\d{3}\+02:00$/);
    expect(rows.find(({ device }) => device === "battery")).toMatchObject({
      battery_mode: "SELF_RELIANCE",
      meter_power_w: "",
    });
    expect(rows.length).toBeGreaterThanOrEqual(8);
  });
});

describe("an export as Parquet", () => {
  test("another reader finds the values of the CSV file, with times in UTC and nulls for what is not known", async () => {
    const { house } = await openHouse();
    await using _ = house;
    await house.pass(3 * HOUR_MS);
    const query = { from: "2026-06-21", resolution: "QUARTER_HOUR" };
    const answer = await house.ask({ method: "GET", url: EXPORT, query: { ...query, format: "parquet" } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/vnd.apache.parquet");
    expect(answer.headers["content-disposition"]).toBe(
      'attachment; filename="hemgate-quarter-hour-2026-06-21.parquet"',
    );
    const file = new Uint8Array(answer.rawPayload).buffer;
    const metadata = parquetMetadata(file);
    expect(metadata.key_value_metadata).toStrictEqual([{ key: "timezone", value: "Europe/Berlin" }]);
    const { children } = parquetSchema(metadata);
    expect(children.map(({ element }) => [element.name, element.type])).toStrictEqual([
      ["time", "INT64"],
      ["device", "BYTE_ARRAY"],
      ["kind", "BYTE_ARRAY"],
      ["power_kw", "DOUBLE"],
      ["energy_in_kwh", "DOUBLE"],
      ["energy_out_kwh", "DOUBLE"],
      ["soc_percent", "DOUBLE"],
      ["known_percent", "DOUBLE"],
    ]);
    const rows = await parquetReadObjects({ file });
    const texts = rows.map(({ time, ...row }) => ({
      time: (time as Date).getTime(),
      ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? "" : String(value)])),
    }));
    const csv = await csvOf(house, query);
    expect(csv.length).toBeGreaterThan(20);
    // A few seconds later, the present quarter hour knows more.
    const isPast = ({ time }: { time: number | string }): boolean =>
      Number(new Date(time)) < Date.UTC(2026, 5, 21, 2, 45);
    expect(texts.filter(isPast)).toStrictEqual(
      csv.filter((row) => isPast(row as never)).map(({ time, ...row }) => ({ time: Date.parse(time ?? ""), ...row })),
    );
    expect(rows.some(({ soc_percent: soc }) => soc === null)).toBe(true);
  });
});

describe("an export is refused", () => {
  test("for an unknown device, with the devices that there are", async () => {
    const { house } = await openHouse();
    await using _ = house;
    await house.pass(MINUTE_MS);
    expect(await problemOf(house, { from: "2026-06-21", devices: "meter,nobody" })).toStrictEqual({
      status: 404,
      detail: 'There is no device "nobody": the devices are meter, battery.',
    });
  });

  test("for a time that ends before it begins, or begins in the future", async () => {
    const { house } = await openHouse();
    await using _ = house;
    await house.pass(MINUTE_MS);
    expect(await problemOf(house, { from: "2026-06-21", to: "2026-06-20" })).toStrictEqual({
      status: 400,
      detail: "`to` has to be after `from`.",
    });
    const future = await problemOf(house, { from: "2026-06-22" });
    expect(future.status).toBe(400);
    expect(future.detail).toContain("`from` is in the future");
  });

  test("for a resolution that is not kept so long, with the time since when it is", async () => {
    const { house } = await openHouse();
    await using _ = house;
    await house.pass(MINUTE_MS);
    for (const resolution of ["RAW", "MINUTE"]) {
      const { status, detail } = await problemOf(house, { from: "2025-05-01", resolution });
      expect(status).toBe(400);
      expect(detail).toMatch(
        new RegExp(
          `^\`${resolution}\` is kept since 2025-05-17T.* only: ask from then on, or for \`QUARTER_HOUR\` or \`HOUR\``,
        ),
      );
    }
    expect((await problemOf(house, { from: "2010-01-01" })).detail).toMatch(/^`HOUR` is kept since 2016-/);
    expect(await csvOf(house, { from: "2025-05-01", resolution: "DAY", to: "2025-06-01" })).toStrictEqual([]);
  });

  test("for what is neither a date nor an instant, and for a zone that does not exist", async () => {
    const { house } = await openHouse();
    await using _ = house;
    for (const query of [
      { from: "yesterday" },
      { from: "2026-06-21", timezone: "Mars/Base" },
      { from: "2026-06-21T00:00:00" },
    ]) {
      expect((await problemOf(house, query)).status).toBe(400);
    }
  });
});
