/** Another device at the address of one that is known: it is neither read nor commanded as that one. */
import { describe, expect, test } from "vitest";
import { batteryOptions, type Home, makeHome, type Run } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIMIT_MS = 30 * SECOND;

function makeBattery(serial: string | null = "B-1") {
  const home = makeHome();
  const device = home.add("battery", {
    ...batteryOptions({ identity: { manufacturer: "SolarEdge", model: "Home Battery", serial } }),
    serialSource: "profile 1",
  });
  const tells = (told: string | null): void => {
    device.identity = { ...device.identity, serial: told };
  };
  return { home, device, tells };
}

/** A run that the device is connected in, and its end. */
async function liveOnce(home: Home): Promise<void> {
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  expect(run.engine.devices()).toMatchObject([{ isReachable: true }]);
  await run.close();
}

const stateOf = (run: Run) => run.engine.devices()[0];
const checksOf = (run: Run) => run.engine.services.checks.list().filter(({ finding }) => finding.check === "identity");

describe("a device with another serial number", () => {
  test("is not commanded and not shown as the old one, and a finding says which serial number was expected", async () => {
    const { home, device, tells } = makeBattery();
    await liveOnce(home);
    await liveOnce(home);
    tells("B-2");
    device.show("battery.soc", 11);
    const run = await home.start();
    const [entry] = run.engine.assets.list("battery");
    const id = entry?.asset.id ?? "";
    const { clock } = home.world;
    const action = await clock.resolve(
      run.engine.actions.start(id, { targetType: "battery", operationMode: "IMPORT_FOCUS" }),
      LIMIT_MS,
    );
    await clock.advance(MINUTE);
    expect(device.written("battery.mode")).toStrictEqual([]);
    expect(device.openDrivers).toBe(0);
    expect(run.engine.actions.get("battery", action.id)?.state).toBe("PENDING");
    expect(run.engine.assets.get("battery", id)).toMatchObject({ isReachable: false });
    expect(run.engine.assets.get("battery", id)?.chargeState.batteryLevel).not.toBe(11);
    expect(stateOf(run)?.lastError).toContain(
      "another device (serial B-2) answers at its address; expected serial B-1",
    );
    expect(checksOf(run)).toMatchObject([
      { state: "OPEN", assetId: id, finding: { check: "identity", fix: { kind: "replace", serial: "B-2" } } },
    ]);
    await run.close();
  });

  test("is forgotten as such when the expected one answers again", async () => {
    const { home, tells } = makeBattery();
    await liveOnce(home);
    await liveOnce(home);
    tells("B-2");
    const run = await home.start();
    await home.world.clock.advance(MINUTE);
    expect(checksOf(run)).toHaveLength(1);
    tells("B-1");
    await home.world.clock.advance(3 * MINUTE);
    expect(stateOf(run)).toMatchObject({ isReachable: true, lastError: null });
    expect(checksOf(run)).toStrictEqual([]);
    await run.close();
  });

  test("takes the old one's place, with its assets, once the owner confirms that; and nothing stays held on it", async () => {
    const { home, device, tells } = makeBattery();
    const before = await home.start();
    const { clock } = home.world;
    await clock.advance(5 * SECOND);
    const id = before.engine.assets.list("battery")[0]?.asset.id ?? "";
    await clock.resolve(
      before.engine.actions.start(id, { targetType: "battery", operationMode: "IMPORT_FOCUS" }),
      LIMIT_MS,
    );
    await clock.advance(10 * SECOND);
    await before.close();
    await liveOnce(home);
    const written = device.written("battery.mode").length;
    tells("B-2");
    const run = await home.start();
    await clock.advance(MINUTE);
    const [check] = checksOf(run);
    await clock.resolve(run.engine.services.checks.confirm(check?.id ?? ""), LIMIT_MS);
    await clock.advance(MINUTE);
    expect(stateOf(run)).toMatchObject({ isReachable: true, identity: { serial: "B-2" } });
    expect(run.engine.assets.list("battery")).toMatchObject([{ asset: { id, isReachable: true } }]);
    expect(checksOf(run)).toStrictEqual([]);
    expect(run.store.all("lease")).toStrictEqual([]);
    expect(device.written("battery.mode")).toHaveLength(written);
    await run.close();
    tells("B-1");
    const later = await home.start();
    await clock.advance(MINUTE);
    expect(stateOf(later)?.lastError).toContain("expected serial B-2");
    await later.close();
  });
});

describe("a serial number that changes although the device does not", () => {
  test("one that the device keeps to itself now and then is not compared, and shown on", async () => {
    const { home, tells } = makeBattery();
    await liveOnce(home);
    await liveOnce(home);
    tells(null);
    const silent = await home.start();
    await home.world.clock.advance(5 * SECOND);
    expect(stateOf(silent)).toMatchObject({ isReachable: true, identity: { serial: "B-1" } });
    await silent.close();
    tells("B-2");
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    expect(stateOf(run)?.lastError).toContain("expected serial B-1");
    await run.close();
  });

  test("a placeholder is none", async () => {
    const { home, tells } = makeBattery("0000");
    await liveOnce(home);
    await liveOnce(home);
    tells("00000000");
    await liveOnce(home);
    tells("B-1");
    await liveOnce(home);
  });

  test("one that an update reads from elsewhere in the device shuts nothing out", async () => {
    const { home, device, tells } = makeBattery();
    await liveOnce(home);
    await liveOnce(home);
    device.serialSource = "profile 2";
    tells("SN-4711");
    await liveOnce(home);
    await liveOnce(home);
    tells("SN-4712");
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    expect(stateOf(run)?.lastError).toContain("expected serial SN-4711");
    await run.close();
  });

  test("one that was told once only, as by an earlier version or by a device that was starting, is not yet expected", async () => {
    const { home, tells } = makeBattery("garbled");
    await liveOnce(home);
    tells("B-1");
    await liveOnce(home);
    await liveOnce(home);
  });

  test("a device that an account or a topic finds is not known by its serial number", async () => {
    const { home, device, tells } = makeBattery();
    device.serialSource = undefined;
    await liveOnce(home);
    await liveOnce(home);
    tells("B-2");
    await liveOnce(home);
  });

  test("a device that was linked again may be any", async () => {
    const { home, tells } = makeBattery();
    const { clock } = home.world;
    const record = {
      id: "battery",
      adapter: "fake",
      options: {},
      source: "linked",
      userId: "ann",
      name: null,
      scopes: null,
      createdAtMs: 1_000,
    } as const;
    const first = await home.start({ devices: [] });
    await clock.resolve(first.engine.services.fleet.add(record), LIMIT_MS);
    await clock.advance(5 * SECOND);
    await first.close();
    const run = await home.start({ devices: [] });
    await clock.advance(5 * SECOND);
    tells("B-2");
    await clock.resolve(run.engine.services.fleet.restart(["battery"]), LIMIT_MS);
    await clock.advance(MINUTE);
    expect(stateOf(run)?.lastError).toContain("expected serial B-1");
    await clock.resolve(run.engine.services.fleet.add(record), LIMIT_MS);
    await clock.advance(5 * SECOND);
    expect(stateOf(run)).toMatchObject({ isReachable: true, identity: { serial: "B-2" } });
    expect(checksOf(run)).toStrictEqual([]);
    await run.close();
  });
});
