/** A house whose history is exported. */
import { expect } from "vitest";
import { MINUTE_MS } from "../../../src/domain/duration.ts";
import { batteryOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

export const POLL_MS = 5 * MINUTE_MS;
export const EXPORT = "/local/export";

/** A meter that imports 2 kW and counts it, and a battery that discharges 1 kW and counts nothing. */
export async function openHouse(startMs = Date.UTC(2026, 5, 21)) {
  const home = makeHome(1, { startMs });
  const meter = home.add("meter", {
    pollMs: POLL_MS,
    values: { "meter.power": 2_000, "meter.frequency": 50.01, "meter.latitude": 52.5, "meter.voltage.l1": 230 },
  });
  const battery = home.add("battery", {
    ...batteryOptions(),
    pollMs: POLL_MS,
    values: { "battery.power": -1_000, "battery.soc": 55.5, "battery.mode": "SELF_RELIANCE" },
  });
  const house = await openRealHouse({ home });
  return { house, meter, battery };
}

export async function csvOf(house: RealHouse, query: Record<string, string>): Promise<Record<string, string>[]> {
  const answer = await house.ask({ method: "GET", url: EXPORT, query });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [header = "", ...lines] = answer.body.split("\r\n");
  expect(lines.pop()).toBe("");
  const names = header.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
  });
}
