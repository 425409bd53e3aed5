import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../src/domain/duration.ts";
import { csvOf, openHouse } from "./export-house.ts";

describe("days and months of an export", () => {
  test("the day on which summer time begins has 23 hours, and its missing hour is in no file", async () => {
    const { house } = await openHouse(Date.UTC(2026, 2, 28, 22));
    await using _ = house;
    await house.pass(27 * HOUR_MS);
    const days = await csvOf(house, { from: "2026-03-29", to: "2026-03-30", resolution: "DAY", devices: "meter" });
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({ time: "2026-03-29T00:00:00+01:00", energy_in_kwh: "46", known_percent: "100" });
    const hours = await csvOf(house, { from: "2026-03-29", to: "2026-03-30", devices: "meter" });
    expect(hours).toHaveLength(23);
    expect(hours.slice(1, 3).map(({ time }) => time)).toStrictEqual([
      "2026-03-29T01:00:00+01:00",
      "2026-03-29T03:00:00+02:00",
    ]);
  });

  test("the day on which summer time ends has 25 hours, and its repeated hour stands twice with two offsets", async () => {
    const { house } = await openHouse(Date.UTC(2026, 9, 24, 21));
    await using _ = house;
    await house.pass(27 * HOUR_MS);
    const query = { from: "2026-10-25", to: "2026-10-26", devices: "meter" };
    const days = await csvOf(house, { ...query, resolution: "DAY" });
    expect(days[0]).toMatchObject({ time: "2026-10-25T00:00:00+02:00", energy_in_kwh: "50", known_percent: "100" });
    const hours = await csvOf(house, query);
    expect(hours).toHaveLength(25);
    expect(hours.slice(2, 4).map(({ time }) => time)).toStrictEqual([
      "2026-10-25T02:00:00+02:00",
      "2026-10-25T02:00:00+01:00",
    ]);
    const months = await csvOf(house, { ...query, resolution: "MONTH" });
    expect(months).toHaveLength(1);
    expect(months[0]).toMatchObject({ time: "2026-10-01T00:00:00+02:00" });
  });
});
