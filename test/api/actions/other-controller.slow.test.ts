/** What an owner sees when somebody else sets a device that the gateway holds. */
import { expect, test } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CONTROLLING = ["exportFocus", "importFocus", "selfReliance", "idle"];

interface Shown {
  readonly id: string;
  readonly capabilities: Readonly<Record<string, { readonly interventionIds: readonly string[] }>>;
}

async function shownBattery({ ask }: RealHouse): Promise<Shown> {
  return (await ask({ url: "/batteries" })).json().data[0];
}

/** Titles of the remedies at each capability that has any. */
async function remedies(house: RealHouse): Promise<Readonly<Record<string, readonly string[]>>> {
  const { capabilities } = await shownBattery(house);
  const named: Record<string, string[]> = {};
  for (const [name, { interventionIds }] of Object.entries(capabilities)) {
    for (const id of interventionIds) {
      const { title } = (await house.ask({ url: `/interventions/${id}` })).json().resolution;
      // A battery that stands still is in doubt for that, too.
      if (title.startsWith("Find out what else")) named[name] = [...(named[name] ?? []), title];
    }
  }
  return named;
}

async function checks({ ask }: RealHouse): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const findings: readonly { id: string; state: string; check: string }[] = (
    await ask({ url: "/local/checks" })
  ).json();
  return findings.filter(({ check }) => check === "control");
}

async function setMode(house: RealHouse, operationMode: string): Promise<{ readonly id: string }> {
  const { id } = await shownBattery(house);
  const url = `/batteries/${id}/operation-mode`;
  const answer = await house.ask({ method: "POST", url, payload: { operationMode } });
  expect(answer.statusCode).toBe(200);
  await house.pass(5 * SECOND);
  return answer.json();
}

/** A battery that the gateway charged until somebody else discharged it. */
async function takenBattery(home: Home = makeHome()): Promise<{ house: RealHouse; battery: FakeDevice }> {
  const battery = home.add("battery", batteryOptions());
  const house = await openRealHouse({ home });
  await house.pass(5 * SECOND);
  await setMode(house, "IMPORT_FOCUS");
  battery.show("battery.mode", "EXPORT_FOCUS");
  // Its timer counts for who set it last.
  const { onWrite } = battery;
  battery.onWrite = () => undefined;
  await house.pass(MINUTE);
  battery.onWrite = onWrite;
  return { house, battery };
}

const NAMED = Object.fromEntries(
  CONTROLLING.map((name) => [name, ["Find out what else controls your SolarEdge device"]]),
);

test("another controller is named as a remedy at what the gateway can control, listed as a check, and told as an event", async () => {
  const { house, battery } = await takenBattery();
  await using _closing = house;
  const { id } = await shownBattery(house);
  expect(await remedies(house)).toEqual(NAMED);
  expect(await checks(house)).toMatchObject([
    {
      check: "control",
      deviceId: "battery",
      assetType: "battery",
      assetId: id,
      measured:
        "the gateway set battery.mode to IMPORT_FOCUS, and it is EXPORT_FOCUS: another controller, or a person at the device, changed it.",
      fix: null,
      state: "OPEN",
    },
  ]);
  const told = (await house.run.store.journalAfter(null, 1_000))
    .filter(({ event }) => event === "user:battery:updated")
    .map(({ payload }) => (payload as { updatedFields: readonly string[] }).updatedFields);
  expect(told.flat()).toContain("capabilities.importFocus.interventionIds");
  const writes = battery.written("battery.mode").length;
  await house.pass(30 * MINUTE);
  expect(battery.written("battery.mode")).toHaveLength(writes);
  expect(await remedies(house)).toEqual(NAMED);
});

test("ends when the gateway has held the device again for a while", async () => {
  const { house } = await takenBattery();
  await using _closing = house;
  await setMode(house, "IDLE");
  expect([await remedies(house), await checks(house)]).toEqual([{}, []]);
});

test("goes on when the gateway's next command is undone, too", async () => {
  const { house, battery } = await takenBattery();
  await using _closing = house;
  battery.onWrite = (point, value) => {
    battery.show(point, value);
    house.home.world.clock.timer(1_500, () => battery.show("battery.mode", "EXPORT_FOCUS"));
  };
  await setMode(house, "IDLE");
  await house.pass(10 * SECOND);
  expect(await checks(house)).toMatchObject([
    { check: "control", measured: expect.stringContaining("set battery.mode to IDLE") },
  ]);
  expect(battery.written("battery.mode").filter((value) => value === "IDLE")).toHaveLength(1);
});

test("ends when the other has let go for ten minutes, not when it only pauses", async () => {
  const { house, battery } = await takenBattery();
  await using _closing = house;
  for (let round = 0; round < 3; round += 1) {
    battery.show("battery.mode", "SELF_RELIANCE");
    await house.pass(8 * MINUTE);
    battery.show("battery.mode", "EXPORT_FOCUS");
    await house.pass(MINUTE);
    expect(await checks(house)).toHaveLength(1);
  }
  battery.show("battery.mode", "SELF_RELIANCE");
  await house.pass(11 * MINUTE);
  expect([await remedies(house), await checks(house)]).toEqual([{}, []]);
});

test("another controller is still told after a restart, and a change that was made meanwhile is told, too", async () => {
  const home = makeHome();
  {
    const { house } = await takenBattery(home);
    await using _closing = house;
  }
  {
    await using house = await openRealHouse({ home });
    await house.pass(10 * SECOND);
    expect(await remedies(house)).toEqual(NAMED);
    await setMode(house, "IDLE");
    expect(await checks(house)).toEqual([]);
  }
  home.devices["battery"]?.show("battery.mode", "IMPORT_FOCUS");
  await using house = await openRealHouse({ home });
  await house.pass(10 * SECOND);
  expect(await checks(house)).toMatchObject([
    { measured: expect.stringContaining("set battery.mode to IDLE, and it is IMPORT") },
  ]);
});

test("another controller that is meant so is dismissed and not told again", async () => {
  const { house, battery } = await takenBattery();
  await using _closing = house;
  const [check] = await checks(house);
  const dismissed = await house.ask({ method: "POST", url: `/local/checks/${check?.id}/dismiss` });
  expect(dismissed.json().state).toBe("DISMISSED");
  expect(await remedies(house)).toEqual({});
  await setMode(house, "IDLE");
  battery.show("battery.mode", "EXPORT_FOCUS");
  await house.pass(10 * SECOND);
  expect(await remedies(house)).toEqual({});
  expect(await checks(house)).toMatchObject([{ state: "DISMISSED" }]);
});

test("another controller is not told when a vehicle leaves: its charger forgets what it was told", async () => {
  const home = makeHome();
  const charger = home.add("charger", chargerOptions());
  followSwitch(charger);
  await using house = await openRealHouse({ home });
  await house.pass(5 * SECOND);
  const { id } = (await house.ask({ url: "/chargers" })).json().data[0];
  await house.ask({ method: "POST", url: `/chargers/${id}/max-current`, payload: { maxCurrent: 10 } });
  await house.pass(5 * SECOND);
  charger.show("charger.state", "UNPLUGGED");
  charger.show("charger.maxCurrent", 16);
  await house.pass(10 * SECOND);
  expect(house.run.store.all("lease")).toEqual([]);
  expect(await checks(house)).toEqual([]);
});

test("another controller that undoes a command before it is followed ends the action with that reason, after it happened twice", async () => {
  const home = makeHome();
  const charger = home.add("charger", chargerOptions());
  charger.onWrite = (point, value) => {
    charger.show(point, value);
    home.world.clock.timer(2_500, () => charger.show("charger.enabled", false));
  };
  await using house = await openRealHouse({ home });
  await house.pass(5 * SECOND);
  const { id } = (await house.ask({ url: "/chargers" })).json().data[0];
  const begun = await house.ask({ method: "POST", url: `/chargers/${id}/charging`, payload: { action: "START" } });
  await house.pass(14 * SECOND);
  const url = `/chargers/actions/${begun.json().id}`;
  expect((await house.ask({ url })).json().state).toBe("PENDING");
  await house.pass(16 * SECOND);
  expect((await house.ask({ url })).json()).toMatchObject({
    state: "CANCELLED",
    failureReason: {
      type: "CONFLICT",
      detail:
        "Another controller, or a person at the device, changed charger.enabled from true to false each time that it was set.",
    },
  });
  expect(await checks(house)).toMatchObject([{ check: "control", deviceId: "charger" }]);
  expect(charger.written("charger.enabled")).toEqual([true, true]);
  await house.pass(10 * MINUTE);
  expect(charger.written("charger.enabled")).toEqual([true, true]);
});
