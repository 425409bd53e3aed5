import { expect, test } from "vitest";
import { houseLine, sandboxWelcome } from "../../../src/cli/sandbox/sandbox-text.ts";
import type { DeviceStatus } from "../../../src/engine/contracts/engine.ts";

function device(...points: readonly (readonly [DeviceStatus["points"][number]["point"], number | string | null])[]) {
  const status: DeviceStatus = {
    id: "a",
    name: null,
    adapter: "modbus",
    identity: null,
    vendor: null,
    isReachable: true,
    lastError: null,
    mayBeInUse: false,
    lastSeenMs: 0,
    takenOver: [],
    assets: [],
    points: points.map(([point, value]) => ({ point, value: value as never, atMs: 0 })),
  };
  return status;
}

test("the house's line tells whole watts, with the signs in words, in the order of the energy's way", () => {
  const line = houseLine([
    device(["meter.power", -600.4]),
    device(["battery.power", 1500.2], ["battery.soc", 54.5], ["inverter.power", 3120]),
    device(["charger.power", -0.2], ["charger.state", "UNPLUGGED"]),
  ]);
  expect(line).toBe("sun 3,120 W production · battery 55 %, 1,500 W charging · grid −600 W export · cars 0 W");
});

test("the line has the sum of both chargers, and of what heats", () => {
  const devices = [device(["charger.power", 4_140]), device(["charger.power", 1_380]), device(["hvac.power", 600])];
  expect(houseLine([...devices, device(["hvac.power", null])])).toMatch(/^cars 5,520 W.* · heat 600 W/);
});

test("what no device can tell is left out of the line", () => {
  expect(houseLine([device(["inverter.power", null], ["meter.power", 5])])).toBe("grid 5 W import");
  expect(houseLine([device(["inverter.power", null])])).toBeNull();
});

test("the welcome's lines carry the credentials that it shows", () => {
  const text = sandboxWelcome("http://127.0.0.1:8080", { id: "an-id", secret: "a-secret" }, "/state", "K7QM-2FXA");
  expect(text).toContain(
    "curl -s http://127.0.0.1:8080/oauth2/token -u 'an-id:a-secret' -d grant_type=client_credentials",
  );
  expect(text).toContain('curl -s http://127.0.0.1:8080/batteries -H "Authorization: Bearer $TOKEN"');
  expect(text).toContain(
    "curl -s http://127.0.0.1:8080/users/home/link -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{",
  );
});

test("the welcome names the account that the link page takes, and what can be tried", () => {
  const text = sandboxWelcome("http://127.0.0.1:8080", { id: "an-id", secret: "a-secret" }, "/state", "K7QM-2FXA");
  expect(text).toContain("demo with the password demo");
  for (const path of ["/docs", "/vehicles", "/hvacs", "/local/simulated/vehicle", "/local/energy", "/local/events"]) {
    expect(text).toContain(path);
  }
});

test("the welcome's link carries the setup code until the house has an owner", () => {
  const credentials = { id: "an-id", secret: "a-secret" };
  const fresh = sandboxWelcome("http://127.0.0.1:8080", credentials, "/state", "K7QM-2FXA");
  expect(fresh).toMatch(/Home page +http:\/\/127\.0\.0\.1:8080\/#code=K7QM-2FXA\n/);
  const owned = sandboxWelcome("http://127.0.0.1:8080", credentials, "/state", null);
  expect(owned).toMatch(/Home page +http:\/\/127\.0\.0\.1:8080\/\n/);
});
