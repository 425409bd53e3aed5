import { describe, expect, test } from "vitest";
import { metricsText } from "../../../src/api/metrics/metrics-text.ts";
import { OWNER, openConformanceHouse } from "../../conformance/house.ts";
import { batteryOptions, chargerOptions, followSwitch, makeHome } from "../../engine/home.ts";
import { openHouse } from "../support/api-house.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const SECOND = 1_000;
const LINE =
  /^(?:# (?:HELP|TYPE) hemgate_[a-z_]+ .+|hemgate_[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? -?\d+(?:\.\d+)?)$/;

async function openWithDevices(): Promise<RealHouse> {
  const home = makeHome();
  followSwitch(home.add("charger", chargerOptions()));
  home.add("battery", batteryOptions());
  const house = await openRealHouse({ home });
  await house.pass(5 * SECOND);
  return house;
}

/** The value of a sample, as it stands in the text. */
async function read(house: Pick<RealHouse, "ask">, sample: string): Promise<number> {
  const { body } = await house.ask({ url: "/metrics" });
  const line = body.split("\n").find((text) => text.startsWith(`${sample} `));
  if (line === undefined) throw new Error(`no ${sample} in ${body}`);
  return Number(line.slice(sample.length + 1));
}

describe("the text of metrics", () => {
  test("says what each is, and escapes what would break a line", () => {
    const text = metricsText([
      { name: "a", help: "one\\two\nthree", type: "gauge", samples: [{ value: 1.5 }] },
      { name: "b_total", help: "b", type: "counter", samples: [{ labels: { x: 'q"\\\n' }, value: 0 }] },
      { name: "c", help: "c", type: "gauge", samples: [{ value: Number.NaN }, { value: Number.NEGATIVE_INFINITY }] },
      { name: "d", help: "d", type: "gauge", samples: [] },
    ]);
    expect(text.split("\n")).toEqual([
      "# HELP a one\\\\two\\nthree",
      "# TYPE a gauge",
      "a 1.5",
      "# HELP b_total b",
      "# TYPE b_total counter",
      'b_total{x="q\\"\\\\\\n"} 0',
      "# HELP c c",
      "# TYPE c gauge",
      "c NaN",
      "c -Inf",
      "# HELP d d",
      "# TYPE d gauge",
      "",
    ]);
  });
});

describe("GET /metrics", () => {
  test("answers Prometheus text of version 0.0.4 to whoever has a token", async () => {
    await using house = await openWithDevices();
    const answer = await house.ask({ url: "/metrics" });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    const lines = answer.body.split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    const samples = lines.filter((line) => !line.startsWith("#"));
    expect(new Set(samples.map((line) => line.split(" ")[0])).size).toBe(samples.length);
  });

  test("is nothing for those without a token, and the description has no word on it", async () => {
    await using house = await openWithDevices();
    const answer = await house.ask({ url: "/metrics", headers: { authorization: "" } });
    expect([answer.statusCode, answer.json().type]).toEqual([401, "/problems/unauthorized"]);
    const description = (await house.ask({ url: "/openapi.json" })).json();
    expect(Object.keys(description.paths)).not.toContain("/metrics");
  });

  test("is the same in an older version", async () => {
    await using house = await openWithDevices();
    const answer = await house.ask({ url: "/metrics", headers: { "service-version": "2023-04-01" } });
    expect(answer.body).toMatch("\nhemgate_uptime_seconds ");
  });

  test("counts devices by whether they answer, and their readings", async () => {
    await using house = await openWithDevices();
    const before = await read(house, "hemgate_readings_total");
    expect(before).toBeGreaterThan(0);
    expect(await read(house, 'hemgate_devices{reachable="true"}')).toBe(2);
    house.home.devices["battery"]?.show("battery.soc", Number.NaN);
    (house.home.devices["charger"] ?? { isUp: true }).isUp = false;
    await house.pass(120 * SECOND);
    expect(await read(house, 'hemgate_devices{reachable="true"}')).toBe(1);
    expect(await read(house, 'hemgate_devices{reachable="false"}')).toBe(1);
    expect(await read(house, "hemgate_readings_total")).toBeGreaterThan(before);
    expect(await read(house, "hemgate_dropped_readings_total")).toBeGreaterThan(0);
  });

  test("counts commands by how they ended, and those that have not", async () => {
    await using house = await openWithDevices();
    const id = house.run.engine.assets.list("charger")[0]?.asset.id;
    await house.ask({ method: "POST", url: `/chargers/${id}/charging`, payload: { action: "START" } });
    expect(await read(house, "hemgate_actions_pending")).toBe(1);
    await house.pass(10 * SECOND);
    expect(await read(house, "hemgate_actions_pending")).toBe(0);
    expect(await read(house, 'hemgate_actions_total{state="CONFIRMED"}')).toBe(1);
    expect(await read(house, 'hemgate_actions_total{state="FAILED"}')).toBe(0);
  });

  test("counts answers by class of status", async () => {
    await using house = await openWithDevices();
    const found = await read(house, 'hemgate_http_requests_total{status="2xx"}');
    const lost = await read(house, 'hemgate_http_requests_total{status="4xx"}');
    await house.ask({ url: "/nowhere" });
    expect(await read(house, 'hemgate_http_requests_total{status="4xx"}')).toBe(lost + 1);
    expect(await read(house, 'hemgate_http_requests_total{status="2xx"}')).toBe(found + 3);
  });

  test("tells the time that passed, by the clock that nobody sets", async () => {
    await using house = await openWithDevices();
    const before = await read(house, "hemgate_uptime_seconds");
    await house.pass(60 * SECOND);
    expect((await read(house, "hemgate_uptime_seconds")) - before).toBeCloseTo(60, 1);
  });

  test("tells a disk that refuses", async () => {
    await using house = await openHouse();
    expect(await read(house, "hemgate_store_writable")).toBe(1);
    house.store.isWritable = false;
    house.engine.state = { isReady: false, failures: ["the database is not writable"] };
    expect([await read(house, "hemgate_store_writable"), await read(house, "hemgate_ready")]).toEqual([0, 0]);
  });

  test("tells how far each webhook is behind, and nothing of where it is", async () => {
    await using house = await openConformanceHouse();
    const made = await house.ask({
      method: "POST",
      url: "/webhooks",
      payload: { url: "https://hooks.example/in", events: ["*"], secret: "s3cret-s3cret-s3cret", apiVersion: null },
    });
    const label = `{webhook="${made.json().id}"}`;
    await house.pass(60 * SECOND);
    expect(await read(house, `hemgate_webhook_lag${label}`)).toBe(0);
    house.receiver.answer = () => ({ status: 500 });
    house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
    await house.pass(60 * SECOND);
    expect(await read(house, `hemgate_webhook_lag${label}`)).toBeGreaterThan(0);
    expect(await read(house, `hemgate_webhook_failures${label}`)).toBeGreaterThan(0);
    expect(await read(house, `hemgate_webhook_active${label}`)).toBe(1);
    expect(await read(house, `hemgate_webhook_epochs_behind${label}`)).toBe(0);
    const { body } = await house.ask({ url: "/metrics" });
    for (const secret of ["hooks.example", "s3cret", OWNER, "5YJ3E1EA7KF000316", "52.5", house.client.id]) {
      expect(body).not.toContain(secret);
    }
  });
});

describe("the figures of the energy manager", () => {
  test("tell the flows, the limits and what the cycle does, and leave out what is not known", async () => {
    const home = makeHome();
    home.add("meter", { values: { "meter.power": 1_500 } });
    followSwitch(home.add("charger", { ...chargerOptions() }));
    await using house = await openRealHouse({ home, maySetLimits: true });
    await house.pass(5 * SECOND);
    const quiet = (await house.ask({ url: "/metrics" })).body;
    expect(quiet).toContain('hemgate_energy_power_watts{flow="grid"} 1500\n');
    expect(quiet).not.toContain('hemgate_energy_power_watts{flow="battery"}');
    expect(quiet).not.toMatch(/^hemgate_energy_(limit_watts|fuse_amperes|cycle_seconds)[{ ]/m);
    expect(await read(house, "hemgate_energy_active")).toBe(0);

    const id = house.run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const device = `/local/energy/devices/${id}`;
    await house.ask({ method: "PATCH", url: "/local/site", payload: { fuseA: 35, importKw: 11, feedInKw: 0 } });
    await house.ask({ method: "PUT", url: device, payload: { mode: "FAST" } });
    const limit = { isActive: true, limit: 4.2, failsafe: 4.2, scope: "controllable" };
    await house.ask({ method: "PUT", url: "/local/energy/limits", payload: { import: limit } });
    await house.pass(30 * SECOND);
    await house.ask({ method: "PUT", url: device, payload: { mode: "OFF" } });
    await house.pass(30 * SECOND);
    expect(await read(house, "hemgate_energy_fuse_amperes")).toBe(35);
    expect(await read(house, limitOf("import", "connection", "contract"))).toBe(11_000);
    expect(await read(house, limitOf("export", "connection", "contract"))).toBe(0);
    expect(await read(house, limitOf("import", "controllable", "operator"))).toBe(4_200);
    expect(await read(house, 'hemgate_energy_devices{mode="OFF"}')).toBe(1);
    expect(await read(house, "hemgate_energy_cycles_total")).toBeGreaterThan(5);
    expect(await read(house, "hemgate_energy_cycle_failures_total")).toBe(0);
    expect(await read(house, "hemgate_energy_switchings_total")).toBeGreaterThan(0);
    expect(house.home.devices["charger"]?.values["charger.enabled"]).toBe(false);
  });
});

function limitOf(direction: string, scope: string, by: string): string {
  return `hemgate_energy_limit_watts{direction="${direction}",scope="${scope}",by="${by}"}`;
}
