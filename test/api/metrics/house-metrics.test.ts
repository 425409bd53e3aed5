import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { DeviceError } from "../../../src/points/device-error.ts";
import { batteryOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const CONFIG = new URL("../../../config/", import.meta.url);

async function openHouse() {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions());
  home.add("meter", {
    values: { "meter.power": 300, "meter.energyImport": 1_000, "meter.energyExport": 250 },
  });
  home.add("charger", { values: { "charger.power": 0, "charger.energySession": 7 } });
  const house = await openRealHouse({ home });
  await house.pass(10 * SECOND_MS);
  return { house, battery };
}

async function linesOf(house: RealHouse): Promise<readonly string[]> {
  return (await house.ask({ url: "/metrics" })).body.split("\n");
}

describe("the figures of the house", () => {
  test("have powers, counters and states of charge by device, in W, Wh and %, with the signs of points", async () => {
    const { house } = await openHouse();
    await using _ = house;
    const lines = await linesOf(house);
    expect(lines).toEqual(
      expect.arrayContaining([
        'hemgate_device_power_watts{device="battery",kind="battery"} -1234',
        'hemgate_device_power_watts{device="meter",kind="meter"} 300',
        'hemgate_device_charge_percent{device="battery",kind="battery"} 55.5',
        'hemgate_device_energy_watt_hours_total{device="meter",kind="meter",direction="in"} 1000',
        'hemgate_device_energy_watt_hours_total{device="meter",kind="meter",direction="out"} 250',
        'hemgate_device_reachable{device="meter"} 1',
        "hemgate_plan_active 0",
      ]),
    );
    expect(lines.some((line) => /^hemgate_house_power_watts\{system=".*",flow="grid"\} 300$/.test(line))).toBe(true);
    // A counter of sessions begins again, and nobody said what a kWh costs.
    expect(lines.filter((line) => /^hemgate_(device_energy.*charger|price|plan_age|plan_power)/.test(line))).toEqual(
      [],
    );
  });

  test("a device that does not answer has an age, and neither power nor charge", async () => {
    const { house, battery } = await openHouse();
    await using _ = house;
    battery.failsReads = new DeviceError("unreachable", "no answer");
    await house.pass(10 * MINUTE_MS);
    const own = (await linesOf(house)).filter((line) => line.includes('device="battery"'));
    expect(own).toHaveLength(2);
    expect(own[0]).toBe('hemgate_device_reachable{device="battery"} 0');
    const age = Number(/^hemgate_device_age_seconds\{device="battery"\} (.*)$/.exec(own[1] ?? "")?.[1]);
    expect(age).toBeGreaterThan(590);
    expect(age).toBeLessThan(620);
  });
});

describe("what Prometheus and Grafana are given", () => {
  test.each(readdirSync(new URL("grafana/", CONFIG)))(
    "each metric that %s asks for is in the gateway's answer",
    async (name) => {
      const { house } = await openHouse();
      await using _ = house;
      const types = (await linesOf(house)).flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
      const board = JSON.parse(readFileSync(new URL(`grafana/${name}`, CONFIG), "utf8")) as {
        panels: { id: number; targets: { expr: string }[] }[];
      };
      const asked = board.panels.flatMap(({ targets }) =>
        targets.flatMap(({ expr }) => expr.match(/hemgate_\w+/g) ?? []),
      );
      expect(asked.length).toBeGreaterThan(8);
      expect(asked.filter((metric) => !types.includes(metric))).toEqual([]);
      expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    },
  );

  test("the lines for prometheus.yml ask with a token of the gateway's own", () => {
    const { scrape_configs: jobs } = parse(readFileSync(new URL("prometheus.yml", CONFIG), "utf8"));
    expect(jobs[0].oauth2.token_url).toBe(`http://${jobs[0].static_configs[0].targets[0]}/oauth2/token`);
  });
});
