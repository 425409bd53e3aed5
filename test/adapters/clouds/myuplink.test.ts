import { describe, expect, test } from "vitest";
import type { CloudDevice } from "../../../adapters/clouds/kit/connector.ts";
import { myuplink } from "../../../adapters/clouds/myuplink/myuplink.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import {
  heatPump,
  MyUplinkTwin,
  type MyUplinkTwinDevice,
  type MyUplinkTwinPoint,
} from "../../twins/clouds/myuplink-twin.ts";
import { fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();

function account() {
  const clock = new VirtualClock();
  const twin = new MyUplinkTwin(clock);
  const { access_token: access, refresh_token: refresh } = twin.desk.issue();
  const session = fakeSession({ connector: myuplink, twin, clock, grant: { access, refresh, expiresAtMs: null } });
  return { clock, twin, session };
}

async function opened(prepare?: (pump: MyUplinkTwinDevice) => void) {
  const bed = account();
  const pump = bed.twin.devices[0]!;
  prepare?.(pump);
  return { ...bed, pump, device: await myuplink.open(bed.session, "pump-1", signal) };
}

function change(id: string, changes: Partial<MyUplinkTwinPoint>) {
  return ({ points }: MyUplinkTwinDevice) =>
    Object.assign(points.find(({ parameterId }) => parameterId === id)!, changes);
}

async function heat(device: CloudDevice, celsius: number) {
  await device.write("hvac.mode", "HEAT", signal);
  await device.write("hvac.heatSetpoint", celsius, signal);
}

const patches = (twin: MyUplinkTwin) => twin.asked.filter(({ method }) => method === "PATCH");

test("lists devices of all systems, whatever else is in the answer", async () => {
  const { twin, session } = account();
  twin.devices.push(heatPump("pump-2"));
  expect(await myuplink.list(session, signal)).toEqual([
    { key: "pump-1", types: ["hvac"], name: "Gotham City", model: "F730 CU 3x400V", detail: "serial-pump-1" },
    expect.objectContaining({ key: "pump-2" }),
  ]);
  await expect(myuplink.open(session, "pump-9", signal)).rejects.toMatchObject({ kind: "refused" });
});

describe("reading", () => {
  test("room, setpoint and what it works on, with the time of measurement", async () => {
    const measuredAtMs = Date.UTC(2026, 5, 20, 22, 56, 12);
    const { device } = await opened();
    expect(await device.read(signal)).toEqual([
      { point: "hvac.mode", value: "HEAT" },
      { point: "hvac.heatSetpoint", value: 20.5 },
      { point: "hvac.temperature", value: 21.2, measuredAtMs },
      { point: "hvac.isActive", value: true, measuredAtMs },
    ]);
    expect(device.identity).toMatchObject({ category: "HEAT_PUMP", serial: "serial-pump-1", name: "Gotham City" });
  });

  test.each([
    [10, false],
    [20, false],
    [30, true],
    [40, false],
    [60, true],
    ["odd", null],
  ])("priority %s is active: %s", async (value, isActive) => {
    expect(await read((await opened(change("49994", { value }))).device)).toMatchObject({ "hvac.isActive": isActive });
  });

  test("a sensor that is absent is nothing, frost is below zero", async () => {
    expect(await read((await opened(change("40033", { value: -32_768 }))).device)).toMatchObject({
      "hvac.temperature": null,
    });
    expect(await read((await opened(change("40033", { value: -3.5 }))).device)).toMatchObject({
      "hvac.temperature": -3.5,
    });
  });

  test("another model's points are found by their categories", async () => {
    const { device } = await opened(({ points }) => {
      points.splice(0, points.length, { parameterId: "116", value: 19, unit: "°C", categories: ["sh-indoorTemp"] });
    });
    expect(device.controls).toEqual([]);
    expect(await read(device)).toEqual({ "hvac.temperature": 19 });
  });

  test("asks for what it needs only, and for nothing while the pump is not connected", async () => {
    const { device, twin, clock, pump } = await opened();
    await device.read(signal);
    expect(twin.asked.at(-1)?.url.searchParams.get("parameters")).toBe("40033,47398,49994");
    pump.isConnected = false;
    await clock.advance(11 * 60_000);
    const before = twin.asked.length;
    expect(new Set(Object.values(await read(device)))).toEqual(new Set([null]));
    expect(twin.asked.length - before).toBe(1);
  });
});

describe("commands", () => {
  test("a setpoint is one request, and the next reading shows it", async () => {
    const { device, twin } = await opened();
    await heat(device, 22.5);
    expect(patches(twin).map(({ json }) => json)).toEqual([{ "47398": "22.5" }]);
    expect(await read(device)).toMatchObject({ "hvac.heatSetpoint": 22.5 });
    expect(device.tempo()).toBe("active");
  });

  test.each([
    [[50, 350], { min: 5, max: 35 }],
    [[5, 30], { min: 5, max: 30 }],
  ] as const)("limits %o are %o °C: some are told before they are scaled", async (limits, range) => {
    const { device, twin } = await opened(change("47398", { limits }));
    expect(device.controls.find(({ point }) => point === "hvac.heatSetpoint")?.range).toEqual(range);
    await expect(heat(device, range.max + 0.5)).rejects.toMatchObject({ kind: "refused" });
    await expect(heat(device, range.min - 0.5)).rejects.toMatchObject({ kind: "refused" });
    expect(patches(twin)).toEqual([]);
  });

  test("are off until the owner confirms them, and not there where the setpoint cannot be written", async () => {
    expect((await opened()).device.controls.map(({ confidence }) => confidence)).toEqual(["unverified", "unverified"]);
    expect((await opened(change("47398", { isWritable: false }))).device.controls).toEqual([]);
  });

  test("without the subscription they are forbidden", async () => {
    const { device, twin } = await opened();
    twin.hasPremium = false;
    await expect(heat(device, 21)).rejects.toMatchObject({ kind: "forbidden" });
  });
});

test("an expired token is told as such, and what is left of the quota", async () => {
  const { device, session, clock } = await opened();
  const url = "https://api.myuplink.com/v2/devices/pump-1/points";
  const answer = await session.ask({ method: "GET", url }, signal);
  expect(myuplink.budgetNews?.(answer)).toEqual([{ budget: "requests", left: 7 }]);
  expect(myuplink.budgetNews?.({ ...answer, headers: {} })).toEqual([]);
  expect(myuplink.budgetNews?.({ ...answer, headers: { "ratelimit-remaining": "900" } })).toEqual([]);
  await clock.advance(4_000_000);
  await expect(device.read(signal)).rejects.toMatchObject({ kind: "expired" });
});
