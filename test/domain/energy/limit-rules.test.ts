import { describe, expect, test } from "vitest";
import { limitationCsv } from "../../../src/domain/energy/energy-views.ts";
import {
  type ContactInput,
  contactDemand,
  contactState,
  nextContactMs,
  readContact,
  settleContact,
  touchContact,
  UNREAD_CONTACT,
} from "../../../src/domain/energy/limits/contact-input.ts";
import { scheduledLimits } from "../../../src/domain/energy/limits/limit-schedule.ts";
import {
  type Limitation,
  NO_REACTION,
  reactionAtBegin,
  withMeasurement,
} from "../../../src/domain/energy/limits/limitation.ts";
import { type Controllable, countedDevices, minimumPowerW } from "../../../src/domain/energy/limits/minimum-power.ts";

const charger: Controllable = { kind: "charger", watts: 11_000 };

describe("the power that § 14a EnWG leaves", () => {
  test.each([
    [1, 4_200],
    [2, 7_560],
    [3, 10_500],
    [4, 13_020],
    [5, 15_120],
    [6, 16_800],
    [7, 18_060],
    [8, 18_900],
    [9, 19_320],
    [12, 24_990],
  ])("%s devices may draw %s W together", (count, watts) => {
    expect(minimumPowerW(Array.from({ length: count }, () => charger))).toBe(watts);
  });

  test("a heat pump above 11 kW keeps 0.4 of its power instead of the first 4.2 kW", () => {
    expect(minimumPowerW([{ kind: "heat-pump", watts: 15_000 }, charger, charger])).toBe(12_300);
    expect(minimumPowerW([{ kind: "heat-pump", watts: 11_000 }, charger, charger])).toBe(10_500);
  });

  test("of a heat pump and a cooling above 11 kW the larger share counts", () => {
    const devices: Controllable[] = [
      { kind: "heat-pump", watts: 15_000 },
      { kind: "cooling", watts: 20_000 },
    ];
    expect(minimumPowerW(devices)).toBe(8_000 + Math.round(0.8 * 4_200));
  });

  test("devices of 4.2 kW and less do not count, but several heat pumps count as one", () => {
    const small: Controllable = { kind: "heat-pump", watts: 3_000 };
    expect(countedDevices([small, charger])).toEqual([charger]);
    expect(countedDevices([small, small, charger])).toEqual([charger, { kind: "heat-pump", watts: 6_000 }]);
    expect(minimumPowerW([small])).toBe(0);
  });
});

describe("relay contacts", () => {
  const timing = { debounceMs: 500, deadMs: 30_000 };
  const open: ContactInput = { isClosed: false, pending: null, aliveAtMs: 0 };

  test("a contact that chatters five times in a second changes once", () => {
    let input = open;
    const states: (boolean | null)[] = [];
    for (const [atMs, isClosed] of [
      [0, true],
      [200, false],
      [400, true],
      [600, false],
      [800, true],
      [1_400, true],
    ] as const) {
      input = settleContact(readContact(input, isClosed, timing, atMs), timing, atMs);
      states.push(input.isClosed);
    }
    expect(states).toEqual([false, false, false, false, false, true]);
  });

  test("a change counts when it has lasted, also without another message", () => {
    const input = readContact(open, true, timing, 1_000);
    expect(nextContactMs(input, timing)).toBe(1_500);
    expect([settleContact(input, timing, 1_499).isClosed, settleContact(input, timing, 1_500).isClosed]).toEqual([
      false,
      true,
    ]);
  });

  test("an input that was never read, or is silent for 30 s, is dead", () => {
    expect(contactState(UNREAD_CONTACT, timing, 0)).toBe("dead");
    expect([contactState(open, timing, 29_999), contactState(open, timing, 30_000)]).toEqual(["open", "dead"]);
    expect(contactState(touchContact(open, timing, 20_000), timing, 40_000)).toBe("open");
  });

  const read = (states: Record<string, "open" | "closed" | "dead">, wasClosed = false) =>
    contactDemand(new Map(Object.entries(states).map(([name, state]) => [name as "W3", { state, wasClosed }])));

  test.each([
    [{ W3: "closed", S2: "closed", S1: "closed" }, 0],
    [{ W3: "open", S2: "closed", S1: "closed" }, 0.3],
    [{ W3: "open", S2: "open", S1: "closed" }, 0.6],
    [{ W3: "closed", S2: "open", S1: "closed" }, 0],
    [{ W3: "open", S2: "open", S1: "open" }, 1],
  ] as const)("%o leave a feed-in share of %s", (states, share) => {
    expect(read(states)).toEqual({ feedInShare: share, isDimmed: false });
  });

  test("W4 dims beside whatever the others demand", () => {
    expect(read({ W3: "closed", W4: "closed" })).toEqual({ feedInShare: 0, isDimmed: true });
  });

  test("a dead input counts as dimmed, and keeps its last feed-in", () => {
    expect(read({ W4: "dead" })).toEqual({ feedInShare: 1, isDimmed: true });
    expect(read({ S2: "dead" }, true)).toEqual({ feedInShare: 0.3, isDimmed: true });
  });
});

describe("limits at fixed times", () => {
  const entry = { direction: "import", scope: "connection", kw: 5, from: "17:00", to: "20:00" } as const;
  const at = (text: string) => Date.parse(text);

  test("apply by the house's clock, on both sides of a change of the clocks", () => {
    const on = (text: string) => scheduledLimits([entry], "Europe/Berlin", at(text)).length;
    expect([on("2026-07-01T14:59:59Z"), on("2026-07-01T15:00:00Z"), on("2026-07-01T18:00:00Z")]).toEqual([0, 1, 0]);
    expect([on("2026-12-01T15:59:59Z"), on("2026-12-01T16:00:00Z"), on("2026-12-01T19:00:00Z")]).toEqual([0, 1, 0]);
  });

  test("cross midnight, with the weekday of the beginning", () => {
    const night = { ...entry, from: "22:00", to: "06:00", weekdays: [0] } as const;
    const on = (text: string) => scheduledLimits([night], "UTC", at(text)).length;
    // 2026-11-23 is a Monday.
    expect([on("2026-11-23T05:00:00Z"), on("2026-11-23T22:00:00Z"), on("2026-11-24T05:59:00Z")]).toEqual([0, 1, 1]);
    expect(on("2026-11-24T22:00:00Z")).toBe(0);
  });

  test("all apply while the clock is not set", () => {
    expect(scheduledLimits([entry], "UTC", null)).toEqual([entry]);
  });
});

describe("the record of a limitation", () => {
  const limited = { direction: "import", scope: "connection", watts: 4_000, beganAtMs: 10_000 } as const;
  const grid = (atMs: number, gridW: number | null) => ({ atMs, gridW, controllableW: null });

  test("has the power before, the time until it was reached, and energy and highest power since", () => {
    const before = { ...grid(9_000, 9_000), devices: [{ id: "wallbox", powerW: 7_000 }] };
    let reaction = reactionAtBegin(limited, before);
    const steps = [grid(12_000, 8_000), grid(18_000, 3_900), grid(28_000, 4_300)];
    let previous = before as Parameters<typeof withMeasurement>[3];
    for (const step of steps) {
      reaction = withMeasurement(reaction, limited, step, previous);
      previous = step;
    }
    expect(reaction).toMatchObject({ powerBeforeW: 9_000, reachedAfterMs: 8_000, highestW: 4_300, measuredMs: 18_000 });
    expect(reaction.devicesBefore).toEqual([{ id: "wallbox", powerW: 7_000 }]);
    expect(reaction.energyWh).toBeCloseTo((8_000 * 2 + 3_900 * 6 + 4_300 * 10) / 3_600, 6);
  });

  test("does not take an old measurement for the power before, nor a long pause for measured", () => {
    const reaction = reactionAtBegin({ ...limited, beganAtMs: 100_000 }, grid(9_000, 9_000));
    expect(reaction).toEqual(NO_REACTION);
    const later = withMeasurement(reaction, limited, grid(200_000, 3_000), grid(11_000, 3_000));
    expect([later.energyWh, later.measuredMs]).toEqual([0, 0]);
  });

  test("counts feed-in for a limit of the export, and nothing that is not known", () => {
    const feedIn = { ...limited, direction: "export" } as const;
    expect(withMeasurement(NO_REACTION, feedIn, grid(12_000, -5_000), null).highestW).toBe(5_000);
    expect(withMeasurement(NO_REACTION, feedIn, grid(12_000, 5_000), null).highestW).toBe(0);
    expect(withMeasurement(NO_REACTION, feedIn, grid(12_000, null), null)).toBe(NO_REACTION);
  });

  test("is a line of CSV in which no name breaks the columns or becomes a formula", () => {
    const limitation: Limitation = {
      id: "a",
      sourceId: "client-1",
      sourceName: '=Grid, "North"',
      direction: "import",
      scope: "connection",
      state: "limited",
      watts: 4_200,
      beganAtMs: 0,
      endedAtMs: null,
      endReason: null,
      reaction: NO_REACTION,
    };
    const [header, line] = [...limitationCsv([limitation])];
    expect(header).toMatch(/^id,source,direction,/);
    expect(line).toBe(`a,"'=Grid, ""North""",import,connection,limited,4.2,1970-01-01T00:00:00.000Z,,,,,0,,0\r\n`);
  });
});
