/** Telemetry by the fleet's API: quarters of an hour as they were told, and holes where nothing will come. */
import { expect, test } from "vitest";
import { HemStatistics } from "../../src/domain/hem/hem-system.ts";
import type { Gap, SyncRecord, TelemetryPayload } from "../../src/sync/protocol/index.ts";
import { ask, openSite, startCopy } from "./copies.ts";
import { batch, boot, hello, NEXT_EPOCH, record } from "./messages.ts";
import { TestGateway } from "./test-gateway.ts";

const QUARTER_MS = 15 * 60_000;
const START_MS = Date.parse("2026-11-18T10:00:00.000Z");
const HOUSE = "/gateways/house-1";

const at = (number: number): string => new Date(START_MS + (number - 1) * QUARTER_MS).toISOString();

/** What two rows of a quarter told of each point, as W and %; one row where it came as means. */
function quarter(
  seq: number,
  number: number,
  points: TelemetryPayload["devices"][number]["points"],
  resolution: TelemetryPayload["resolution"] = "full",
): SyncRecord {
  const fromMs = START_MS + (number - 1) * QUARTER_MS;
  const offsetsMs = resolution === "full" ? [0, 60_000] : [0];
  const payload: TelemetryPayload = { fromMs, resolution, devices: [{ deviceId: "d", offsetsMs, points }] };
  return record(seq, { boot: 0, monotonicMs: 0, atMs: fromMs + QUARTER_MS, event: "system:telemetry", payload });
}

function told(from: number, through: number, records: readonly SyncRecord[], gaps: readonly Gap[] = []) {
  return batch(from, through, records, { stream: "telemetry", gaps });
}

/** Values of each series that is there, and the holes. */
async function history(copy: { readonly port: number }, query: string) {
  const { body } = await ask(copy, `${HOUSE}/telemetry?${query}`);
  const { devices, holes } = body as {
    readonly devices: readonly { readonly deviceId: string; readonly timeseries: Readonly<Record<string, unknown>> }[];
    readonly holes: unknown;
  };
  const values = devices.flatMap(({ timeseries }) =>
    Object.entries(timeseries).map(([name, series]) => {
      const { shape } = HemStatistics.shape.timeseries;
      const read = shape[name as keyof typeof shape].parse({ isAvailable: true, ...Object(series) });
      if (!read.isAvailable) throw new Error("a series is not there");
      return [name, [read.unit, ...read.data.map(({ v }) => v)]] as const;
    }),
  );
  return { values: Object.fromEntries(values), holes };
}

test("quarters have the names and units of a gateway's own series; what did not come is null, and what will not is a hole", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  const dropped = {
    from: 3,
    through: 4,
    reason: "dropped",
    fromMs: Date.parse(at(3)),
    throughMs: Date.parse(at(5)),
  } as const;
  const full = quarter(1, 1, { "meter.power": [3_000, -1_000], "battery.soc": [40, null], "inverter.power": [0, 0] });
  const means = quarter(
    6,
    6,
    { "meter.power": [-500], "battery.soc": [55.5], "battery.status": ["IDLE"] },
    "quarter-hour",
  );
  const batches = [told(1, 2, [full]), told(3, 4, [], [dropped]), told(5, 6, [means])];
  await gateway.deliver(...batches);
  for (const each of batches) await gateway.send(each);
  const query = `startDate=${at(1)}&endDate=${at(7)}`;
  const shown = {
    values: {
      generation: ["kW", 0, null, null, null, null, null],
      import: ["kW", 1.5, null, null, null, null, null],
      export: ["kW", 0.5, null, null, null, null, 0.5],
      batteryLevel: ["%", 40, null, null, null, null, 55.5],
    },
    holes: [{ fromAt: at(3), throughAt: at(5), reason: "dropped" }],
  };
  expect(await history(copy, query)).toEqual(shown);
  expect(await site.database.rows("SELECT FROM telemetry")).toHaveLength(2);
  await gateway.meet(hello("house-1", [boot(1)], NEXT_EPOCH));
  const again = quarter(1, 3, { "hem.load": [700] }, "quarter-hour");
  await gateway.deliver(batch(1, 1, [again], { stream: "telemetry", epoch: NEXT_EPOCH }));
  expect(await history(copy, query)).toEqual({
    values: { ...shown.values, consumption: ["kW", null, null, 0.7, null, null, null] },
    holes: [{ fromAt: at(4), throughAt: at(5), reason: "dropped" }],
  });
  expect(await history(copy, `startDate=${at(4)}`)).toMatchObject({ holes: [{ fromAt: at(4) }] });
  const statuses = [`startDate=${at(2)}&endDate=${at(1)}`, "", "startDate=x", `startDate=${at(1)}&endDate=${at(200)}`];
  for (const wrong of statuses) expect((await ask(copy, `${HOUSE}/telemetry?${wrong}`)).status).toBe(400);
  expect((await ask(copy, `/gateways/none/telemetry?${query}`)).status).toBe(404);
});
