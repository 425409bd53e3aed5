/** Events of the grid: begun and ended by the clock, over a restart, and with an unwilling disk. */
import { describe, expect, test } from "vitest";
import { type NewFlexEvent, NewFlexEvent as Schema } from "../../../src/domain/energy/flex/flex-event.ts";
import { energyHouse, MINUTE, SECOND } from "../energy/energy-house.ts";
import { batteryOptions, chargerOptions, type Home, makeHome, type Run } from "../home.ts";

/** An event that begins and ends so many minutes from now. */
function eventIn({ world }: Home, [from, to]: readonly [number, number], change: Partial<NewFlexEvent>): NewFlexEvent {
  const at = (minutes: number): string => new Date(world.clock.nowMs() + minutes * MINUTE).toISOString();
  return Schema.parse({ locationId: null, start: at(from), end: at(to), kind: "LIMIT_IMPORT", limitKw: 4, ...change });
}

async function open(home = makeHome()) {
  if (Object.keys(home.devices).length === 0) {
    home.add("meter", { values: { "meter.power": 1_500 } });
    home.add("charger", chargerOptions());
  }
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(5 * SECOND);
  const { flexEvents, energyLimits } = run.engine.services;
  const create = (span: readonly [number, number], change: Partial<NewFlexEvent> = {}) =>
    clock.resolve(flexEvents.create(eventIn(home, span, change)), 20 * SECOND);
  const active = () => energyLimits.active().map(({ direction, scope, watts }) => [direction, scope, watts]);
  return { home, run, clock, flexEvents, energyLimits, create, active };
}

async function happened(run: Run, home: Home): Promise<readonly unknown[]> {
  const entries = await home.world.clock.resolve(run.store.journalAfter(null, 1_000), 20 * SECOND);
  return entries
    .filter(({ event }) => event === "user:flex-event:updated")
    .map(({ payload }) => (payload as { flexEvent: { state: string } }).flexEvent.state);
}

describe("events of the grid", () => {
  test("begin and end by themselves, each with its limit and its event", async () => {
    const { home, run, clock, create, active, flexEvents } = await open();
    const { id, state, participants } = await create([2, 4]);
    expect([state, participants.map(({ assetType }) => assetType)]).toEqual(["SCHEDULED", ["charger"]]);
    await clock.advance(MINUTE);
    expect(active()).toEqual([]);
    await clock.advance(MINUTE + SECOND);
    expect(active()).toEqual([["import", "connection", 4_000]]);
    expect(flexEvents.get(id)?.state).toBe("ACTIVE");
    await clock.advance(2 * MINUTE);
    expect([active(), flexEvents.get(id)?.state]).toEqual([[], "COMPLETED"]);
    expect(await happened(run, home)).toEqual(["SCHEDULED", "ACTIVE", "COMPLETED"]);
    await run.close();
  });

  test("apply their lowest limit, and their limits one by one when they end", async () => {
    const { run, clock, create, active } = await open();
    await create([-1, 10]);
    await create([-1, 2], { limitKw: 2, priority: 9 });
    await create([-1, 2], { kind: "SHED", limitKw: null });
    expect(active()).toEqual([
      ["import", "connection", 2_000],
      ["import", "controllable", 0],
    ]);
    await clock.advance(3 * MINUTE);
    expect(active()).toEqual([["import", "connection", 4_000]]);
    await run.close();
  });

  test("go on after a restart, and end at their time though the gateway was off then", async () => {
    const first = await open();
    const lasting = await first.create([-1, 60]);
    const short = await first.create([-1, 2], { kind: "SHED", limitKw: 1 });
    first.run.process.kill();
    first.home.disk.crash();
    await first.clock.advance(10 * MINUTE);
    const { run, active, flexEvents, energyLimits, clock } = await open(first.home);
    await clock.advance(SECOND);
    expect(active()).toEqual([["import", "connection", 4_000]]);
    expect([flexEvents.get(lasting.id)?.state, flexEvents.get(short.id)?.state]).toEqual(["ACTIVE", "COMPLETED"]);
    // What has no heartbeat cannot be lost.
    expect(energyLimits.sources()).toMatchObject([{ directions: [{ failsafeW: null, failsafeMs: null }] }]);
    await run.close();
  });

  test("that the disk refuses do not come about, and what is cancelled is over", async () => {
    const { home, run, clock, create, active, flexEvents } = await open();
    const { id } = await create([-1, 60]);
    expect((await clock.resolve(flexEvents.cancel(id), 20 * SECOND))?.state).toBe("CANCELLED");
    expect(active()).toEqual([]);
    home.disk.failWrites("lost", "lost");
    await expect(create([-1, 60])).rejects.toThrow("cannot be stored");
    expect([active(), flexEvents.list().length]).toEqual([[], 1]);
    await run.close();
  });

  test("are refused beyond fifty that are not over", async () => {
    const { run, create } = await open();
    for (let made = 0; made < 50; made += 1) await create([10, 20]);
    await expect(create([10, 20])).rejects.toThrow("50 events");
    await run.close();
  });
});

test("an event of kind ABSORB charges a vehicle in mode PLANNED now, and no other", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const run = await house.start();
  const { energy, flexEvents } = run.engine.services;
  const { clock } = house.home.world;
  const id = house.chargerId(run);
  const absorb = (span: readonly [number, number]) =>
    clock.resolve(flexEvents.create(eventIn(house.home, span, { kind: "ABSORB", limitKw: null })), 20 * SECOND);
  await clock.resolve(energy.setPolicy(id, { mode: "SURPLUS" }), 20 * SECOND);
  await absorb([-1, 5]);
  await house.advance(3 * MINUTE);
  expect(house.charger.values["charger.enabled"]).toBe(false);
  await clock.resolve(energy.setPolicy(id, { mode: "PLANNED" }), 20 * SECOND);
  await house.advance(MINUTE);
  expect(house.charger.values["charger.enabled"]).toBe(true);
  expect(energy.device(id).reason?.code).toBe("plan");
  await house.advance(20 * MINUTE);
  expect(house.charger.values["charger.enabled"]).toBe(false);
  await run.close();
});

test.each([
  ["charges a battery with at most its power", 2, true, ["IMPORT_FOCUS", 2_000]],
  ["charges a battery with all that goes where it has no power", null, true, ["IMPORT_FOCUS", 5_000]],
  ["leaves a battery alone that is not charged with so little", 0.2, true, ["SELF_RELIANCE", 0]],
  ["leaves a battery alone whose power cannot be set, where it has a power", 2, false, ["SELF_RELIANCE", 0]],
  ["charges a battery whose power cannot be set where it has none", null, false, ["IMPORT_FOCUS", 0]],
] as const)("an event of kind ABSORB %s", async (_what, limitKw, takesPower, expected) => {
  const house = energyHouse({}, {}, { isOn: false });
  house.world.isPlugged = false;
  const { values, controls = [], ...options } = batteryOptions();
  const power = { point: "battery.powerSetpoint", range: { min: -5_000, max: 5_000 }, holdMs: null, safeDefault: 0 };
  const battery = house.home.add("battery", {
    ...options,
    values: { ...values, "battery.power": 0, "battery.powerSetpoint": 0 },
    controls: takesPower ? [...controls, power as (typeof controls)[number]] : controls,
  });
  const run = await house.start();
  const event = eventIn(house.home, [-1, 5], { kind: "ABSORB", limitKw });
  await house.home.world.clock.resolve(run.engine.services.flexEvents.create(event), 20 * SECOND);
  await house.advance(MINUTE);
  expect([battery.values["battery.mode"], battery.values["battery.powerSetpoint"]]).toEqual(expected);
  await house.wait(10 * MINUTE);
  expect([battery.values["battery.mode"], battery.values["battery.powerSetpoint"]]).toEqual(["SELF_RELIANCE", 0]);
  await run.close();
});

test("an event whose limit stays in force while the disk refuses its beginning takes it back when it is cancelled", async () => {
  const { home, run, clock, create, active, flexEvents } = await open();
  const { id } = await create([2, 60]);
  await clock.advance(2 * MINUTE - SECOND);
  home.disk.failWrites(...Array.from({ length: 2 }, () => "lost" as const));
  await clock.advance(5 * SECOND);
  expect([active(), flexEvents.get(id)?.state]).toEqual([[["import", "connection", 4_000]], "SCHEDULED"]);
  await clock.resolve(flexEvents.cancel(id), 20 * SECOND);
  expect([active(), flexEvents.get(id)?.state]).toEqual([[], "CANCELLED"]);
  await run.close();
});

test("an event limits until its end by the clock, also where that was ahead and is put right", async () => {
  const { run, clock, create, active, flexEvents } = await open();
  const { id } = await create([-1, 30]);
  await clock.advance(5 * MINUTE);
  clock.setWallMs(clock.nowMs() - 20 * MINUTE);
  await clock.advance(30 * MINUTE);
  expect([active(), flexEvents.get(id)?.state]).toEqual([[["import", "connection", 4_000]], "ACTIVE"]);
  await clock.advance(16 * MINUTE);
  expect([active(), flexEvents.get(id)?.state]).toEqual([[], "COMPLETED"]);
  await run.close();
});

test("an event of kind ABSORB asks for nothing after its end, also where the disk refuses to store that", async () => {
  const { home, run, clock, create, flexEvents } = await open();
  const { id } = await create([-1, 2], { kind: "ABSORB", limitKw: null });
  await clock.advance(2 * MINUTE - SECOND);
  expect(flexEvents.absorbing()).toMatchObject({ watts: null });
  home.disk.failWrites(...Array.from({ length: 2 }, () => "lost" as const));
  await clock.advance(5 * SECOND);
  expect([flexEvents.get(id)?.state, flexEvents.absorbing()]).toEqual(["ACTIVE", null]);
  await run.close();
});

test("an event of kind ABSORB asks for nothing after a start at which nobody knows the time", async () => {
  const first = await open();
  const { id } = await first.create([-1, 60], { kind: "ABSORB", limitKw: null });
  first.run.process.kill();
  first.home.disk.crash();
  const nowMs = first.clock.nowMs();
  first.clock.setWallMs(0);
  first.clock.setQuality("unset");
  const { run, flexEvents, clock } = await open(first.home);
  expect([flexEvents.get(id)?.state, flexEvents.absorbing()]).toEqual(["ACTIVE", null]);
  clock.setWallMs(nowMs + 10 * MINUTE);
  clock.setQuality("synced");
  expect(flexEvents.absorbing()).toMatchObject({ watts: null });
  await run.close();
});
