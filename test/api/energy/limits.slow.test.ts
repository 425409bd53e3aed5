import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { GridLimitsConfig } from "../../../src/config/grid-limits-config.ts";
import { makeHome } from "../../engine/home.ts";
import { getToken } from "../support/api-house.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const LIMITS = "/local/energy/limits";
const MINUTE_MS = 60_000;
const IMPORT = { isActive: true, limit: 4.2, duration: null, failsafe: 3 };

/** The house with a client that may set limits, and a request of that client. */
async function openLimited(home = makeHome()) {
  const house = await openRealHouse({ home });
  const { clock } = home.world;
  const parts = { store: house.run.store, ...house.run.process.platform };
  const client = await clock.resolve(createClient(parts, "Grid operator", undefined, ["energy:limits"]), 10_000);
  return { house, client, put: await putOf(house, client) };
}

async function putOf(house: RealHouse, client: { id: string; secret: string }) {
  const token = await house.home.world.clock.resolve(getToken(house.api, client), 10_000);
  const headers = { authorization: `Bearer ${token}` };
  return (body: object | null, method: "PUT" | "POST" | "DELETE" = "PUT", url = LIMITS) =>
    house.ask({ method, url, headers, ...(body !== null && { payload: body }) });
}

function active(house: RealHouse): readonly unknown[] {
  return house.run.engine.services.energyLimits
    .active()
    .map(({ direction, scope, watts }) => [direction, scope, watts]);
}

async function limitations(house: RealHouse): Promise<readonly Record<string, unknown>[]> {
  return (await house.ask({ url: "/local/energy/limitations" })).json().data;
}

describe("PUT /local/energy/limits", () => {
  test("applies at once, to those who observe, and is shown with its source", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    const seen: unknown[] = [];
    using _watch = house.run.engine.services.energyLimits.observe((limits) => seen.push(limits.length));
    const answer = await put({ import: IMPORT });
    expect(answer.statusCode).toBe(200);
    expect([active(house), seen]).toEqual([[["import", "connection", 4_200]], [1]]);
    expect(answer.json()).toMatchObject({
      active: [{ direction: "import", scope: "connection", limit: 4.2, until: null }],
      sources: [
        {
          kind: "client",
          name: "Grid operator",
          isOwn: true,
          heartbeat: 120,
          directions: [{ state: "limited", applied: 4.2, failsafe: 3, failsafeDuration: 7_200 }],
          warnings: [],
        },
      ],
    });
    expect((await house.ask({ url: LIMITS })).json().sources[0].isOwn).toBe(false);
  });

  test("is refused to a client without the scope", async () => {
    const { house } = await openLimited();
    await using _open = house;
    for (const [method, url] of [
      ["PUT", LIMITS],
      ["DELETE", LIMITS],
      ["POST", `${LIMITS}/heartbeat`],
    ] as const) {
      const answer = await house.ask({ method, url, ...(method === "PUT" && { payload: { import: IMPORT } }) });
      expect([answer.statusCode, answer.json().detail]).toEqual([
        403,
        expect.stringContaining("--scope energy:limits"),
      ]);
    }
  });

  test("names what is wrong, and changes nothing", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    await put({ import: IMPORT });
    for (const [body, text] of [
      [{}, "import"],
      [{ import: { ...IMPORT, limit: -1 } }, "limit"],
      [{ import: { isActive: true } }, "limit"],
      [{ export: { isActive: true, limit: 5 } }, "failsafe"],
      [{ import: { ...IMPORT, failsafeDuration: 3_600 } }, "2 to 24 hours"],
      [{ import: { ...IMPORT, failsafeDuration: 25 * 3_600 } }, "2 to 24 hours"],
    ] as const) {
      const answer = await put(body);
      expect([answer.statusCode, JSON.stringify(answer.json())]).toEqual([400, expect.stringContaining(text)]);
    }
    expect(active(house)).toEqual([["import", "connection", 4_200]]);
  });

  test("warns of a limit below the failsafe value", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    const answer = await put({ import: { ...IMPORT, limit: 1 } });
    expect(answer.json().sources[0].warnings).toEqual([expect.stringContaining("below the failsafe value")]);
  });

  test.each(["import", "export"])(
    "a negative %s limit is refused with its place, and what applied stays",
    async (direction) => {
      const { house, put } = await openLimited();
      await using _open = house;
      const limit = { isActive: true, limit: 4.2, failsafe: 3 };
      await put({ [direction]: limit });
      const answer = await put({ [direction]: { ...limit, limit: -0.5 } });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ issues: [{ path: [direction, "limit"] }] });
      expect(active(house)).toEqual([[direction, "connection", 4_200]]);
    },
  );

  test("the lowest limit of each direction applies, and a removed source leaves the others", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    const parts = { store: house.run.store, ...house.run.process.platform };
    const clock = house.home.world.clock;
    const second = await clock.resolve(createClient(parts, "Aggregator", undefined, ["energy:limits"]), 10_000);
    const putSecond = await putOf(house, second);
    await put({ import: IMPORT, export: { isActive: true, limit: 6, failsafe: 5 } });
    await putSecond({ import: { ...IMPORT, limit: 2 }, export: { isActive: true, limit: 8, failsafe: 5 } });
    expect(active(house)).toEqual([
      ["import", "connection", 2_000],
      ["export", "connection", 6_000],
    ]);
    await putSecond({ import: { ...IMPORT, limit: 0 }, export: { isActive: true, limit: 0, failsafe: 5 } });
    expect(active(house)).toEqual([
      ["import", "connection", 0],
      ["export", "connection", 0],
    ]);
    expect((await putSecond(null, "DELETE")).statusCode).toBe(204);
    expect(active(house)).toEqual([
      ["import", "connection", 4_200],
      ["export", "connection", 6_000],
    ]);
    expect((await putSecond(null, "DELETE")).statusCode).toBe(404);
  });

  test("a duration ends the limit; heartbeats keep the source", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    await put({ import: { ...IMPORT, duration: 180 } });
    for (let minute = 0; minute < 2; minute += 1) {
      await house.pass(MINUTE_MS);
      expect((await put(null, "POST", `${LIMITS}/heartbeat`)).statusCode).toBe(204);
      expect(active(house)).toHaveLength(1);
    }
    await house.pass(MINUTE_MS + 1_000);
    expect(active(house)).toEqual([]);
    expect(await limitations(house)).toMatchObject([{ endReason: "expired", limit: 4.2 }]);
  });

  test("a lost client leaves its failsafe value, until it sets another limit", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    await put({ import: { ...IMPORT, limit: 0 } });
    await house.pass(2 * MINUTE_MS + 1_000);
    expect(active(house)).toEqual([["import", "connection", 3_000]]);
    await put(null, "POST", `${LIMITS}/heartbeat`);
    await house.pass(10 * MINUTE_MS);
    expect(active(house)).toEqual([["import", "connection", 3_000]]);
    await put({ import: { isActive: false } });
    expect(active(house)).toEqual([]);
    expect((await limitations(house)).map(({ state, limit, endReason }) => [state, limit, endReason])).toEqual([
      ["failsafe", 3, "released"],
      ["limited", 0, "changed"],
    ]);
  });
});

describe("a restart in the middle of a limitation", () => {
  test("applies the failsafe value of a source with a heartbeat at once, and loses no record", async () => {
    const home = makeHome();
    const first = await openLimited(home);
    await first.put({ import: { ...IMPORT, limit: 1 } });
    // Records that begin in the same millisecond have no order.
    await first.house.pass(1_000);
    first.house.run.process.kill();
    home.disk.crash();
    await using house = await openRealHouse({ home });
    expect(active(house)).toEqual([["import", "connection", 3_000]]);
    expect((await limitations(house)).map(({ state, limit, endReason }) => [state, limit, endReason])).toEqual([
      ["unknown", 3, null],
      ["limited", 1, "restart"],
    ]);
    await house.pass(130_000);
    expect(active(house)).toEqual([["import", "connection", 3_000]]);
    const put = await putOf(house, first.client);
    await put({ import: { ...IMPORT, limit: 2 } });
    expect(active(house)).toEqual([["import", "connection", 2_000]]);
  });

  test.each([2, 24])("keeps a failsafe duration of %i hours", async (durationHours) => {
    const home = makeHome();
    const first = await openLimited(home);
    const answer = await first.put({ import: { ...IMPORT, failsafeDuration: durationHours * 3_600 } });
    expect(answer.statusCode).toBe(200);
    first.house.run.process.kill();
    home.disk.crash();
    await using house = await openRealHouse({ home });
    const [source] = (await house.ask({ url: LIMITS })).json().sources;
    expect(source.directions).toMatchObject([{ failsafe: 3, failsafeDuration: durationHours * 3_600 }]);
  });

  test("continues the limit and the record of a source without a heartbeat", async () => {
    const home = makeHome();
    const first = await openLimited(home);
    await first.put({ heartbeat: null, import: { ...IMPORT, duration: 3_600 } });
    const [before] = await limitations(first.house);
    first.house.run.process.kill();
    home.disk.crash();
    await using house = await openRealHouse({ home });
    expect(active(house)).toEqual([["import", "connection", 4_200]]);
    expect(await limitations(house)).toMatchObject([{ id: before?.["id"], endedAt: null }]);
    await house.pass(61 * MINUTE_MS);
    expect(active(house)).toEqual([]);
  });
});

describe("GET /local/energy/limitations", () => {
  test("has what was measured meanwhile, in pages and as CSV", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    const { energyLimits } = house.run.engine.services;
    const clock = house.home.world.clock;
    energyLimits.note({ atMs: clock.monotonicMs(), gridW: 9_000, controllableW: null });
    await put({ import: IMPORT });
    await house.pass(5_000);
    energyLimits.note({ atMs: clock.monotonicMs(), gridW: 4_000, controllableW: null });
    await house.pass(36_000);
    energyLimits.note({ atMs: clock.monotonicMs(), gridW: 4_100, controllableW: null });
    await put({ import: { ...IMPORT, limit: 3 } });
    const page = (await house.ask({ url: "/local/energy/limitations?pageSize=1" })).json();
    expect(page.data).toMatchObject([{ limit: 3, endedAt: null }]);
    const next = await house.ask({ url: `/local/energy/limitations?pageSize=1&after=${page.pagination.after}` });
    const [{ reaction }] = next.json().data;
    expect(reaction).toMatchObject({ powerBefore: 9, highestPower: 4.1 });
    expect(reaction.secondsToReach).toBeCloseTo(5, 0);
    expect(reaction.energy).toBeGreaterThan(0.03);
    const csv = await house.ask({ url: "/local/energy/limitations?format=csv" });
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.body.split("\r\n").map((line) => line.split(",")[5])).toEqual(["limit_kw", "3", "4.2", undefined]);
  });

  test("refuses another format", async () => {
    await using house = await openRealHouse();
    expect((await house.ask({ url: "/local/energy/limitations?format=xml" })).statusCode).toBe(400);
  });

  test("keeps two years", async () => {
    const { house, put } = await openLimited();
    await using _open = house;
    await put({ heartbeat: null, import: { ...IMPORT, duration: 60 } });
    await house.pass(2 * MINUTE_MS);
    const { clock } = house.home.world;
    const begin = clock.nowMs();
    clock.setWallMs(begin + 729 * 24 * 60 * MINUTE_MS);
    await house.pass(61 * MINUTE_MS);
    expect(await limitations(house)).toHaveLength(1);
    clock.setWallMs(begin + 740 * 24 * 60 * MINUTE_MS);
    await house.pass(61 * MINUTE_MS);
    expect(await limitations(house)).toHaveLength(0);
  });
});

test("a limit applies although the disk refuses it, the client learns that, and it is stored as soon as that works", async () => {
  const { house, put } = await openLimited();
  await using _open = house;
  house.home.disk.failWrites("lost", "lost");
  const answer = await put({ import: IMPORT });
  expect([answer.statusCode, answer.json().detail]).toEqual([503, expect.stringContaining("The limit applies")]);
  expect(active(house)).toEqual([["import", "connection", 4_200]]);
  await house.pass(MINUTE_MS);
  expect(house.run.store.all("limitation")).toMatchObject([{ watts: 4_200, endedAtMs: null }]);
  expect(house.run.store.all("limit-source")).toHaveLength(1);
});

test("a change of the limits is an event", async () => {
  const { house, put } = await openLimited();
  await using _open = house;
  await put({ import: IMPORT });
  const entries = await house.home.world.clock.resolve(house.run.store.journalAfter(null, 100), 10_000);
  expect(entries.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["local:energy:limits-updated", "local:energy:limitation-updated"]),
  );
});

describe("a schedule in the configuration", () => {
  test("limits at its times, and each time is a limitation", async () => {
    const home = makeHome(1, {
      gridLimits: GridLimitsConfig.parse({ schedule: [{ direction: "export", kw: 3, from: "12:00", to: "13:00" }] }),
    });
    home.world.clock.setWallMs(Date.parse("2026-06-21T09:58:00Z"));
    await using house = await openRealHouse({ home });
    expect(active(house)).toEqual([]);
    await house.pass(3 * MINUTE_MS);
    expect(active(house)).toEqual([["export", "connection", 3_000]]);
    await house.pass(60 * MINUTE_MS);
    expect(active(house)).toEqual([]);
    expect(await limitations(house)).toMatchObject([{ sourceName: "Schedule 1", endReason: "expired" }]);
  });
});
