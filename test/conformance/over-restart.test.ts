/** What has a date keeps it when the gateway starts again; and the day of the installation is the configured one. */
import { expect, it } from "vitest";
import { createClient } from "../../src/api/clients/clients.ts";
import { getToken } from "../api/support/api-house.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { type Home, makeHome } from "../engine/home.ts";
import { addDevices, idsOf, OWNER } from "./house.ts";
import { HOUSE } from "./words.ts";

const THREE_DAYS_MS = 3 * 86_400_000;
/** Fields that say when something happened. What a device reported last may be newer after a start. */
const DATES = new Set([
  "createdAt",
  "completedAt",
  "endedAt",
  "introducedAt",
  "installationDate",
  "fromTimestamp",
  "toTimestamp",
]);
const INSTALLED_ON = "2020-05-17";

const INVERTER_ONLY: Readonly<Record<string, string>> = { inverter: INSTALLED_ON };

/** Opens the gateway with the configured `installedOn` by device. */
function open(home: Home, installedOn = INVERTER_ONLY): Promise<RealHouse> {
  const devices = Object.keys(home.devices).map((id) => ({
    id,
    adapter: "fake",
    owner: OWNER,
    ...(installedOn[id] !== undefined && { installedOn: installedOn[id] }),
  }));
  return openRealHouse({ home: { ...home, start: (change) => home.start({ ...change, devices }) } });
}

/** Dates by where they stand: `GET /batteries 0.information.installationDate`. */
async function datesOf(house: RealHouse, urls: readonly string[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (DATES.has(key)) found[`${path}.${key}`] = one;
      walk(one, `${path}.${key}`);
    }
  };
  for (const url of urls) {
    const answer = await house.ask({ url });
    expect(answer.statusCode, `${url} ${answer.body}`).toBe(200);
    walk(answer.json(), url);
  }
  return found;
}

/** Makes one of each record that has a date, and says where each is read. */
async function fill(house: RealHouse): Promise<readonly string[]> {
  const ids = await idsOf(house);
  const send = async (method: "POST" | "PUT", url: string, payload?: object): Promise<{ id: string }> => {
    const answer = await house.ask({ method, url, ...(payload !== undefined && { payload }) });
    expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300);
    return answer.json();
  };
  const location = await send("POST", `/users/${OWNER}/locations`, HOUSE);
  const battery = await send("POST", `/batteries/${ids["battery"]}/operation-mode`, { operationMode: "IMPORT_FOCUS" });
  const hvac = await send("POST", `/hvacs/${ids["hvac"]}/permanent-hold`, { mode: "HEAT", heatSetpoint: 21 });
  const schedule = await send("POST", `/users/${OWNER}/schedules`, {
    targetId: ids["vehicle"],
    targetType: "vehicle",
    isEnabled: false,
    defaultShouldCharge: true,
    locationId: location.id,
    rules: [{ shouldCharge: false, fromTimestamp: "2026-07-01T00:00:00Z", toTimestamp: "2026-07-02T00:00:00+02:00" }],
  });
  await send("POST", `/chargers/${ids["charger"]}/smart-override`);
  await house.pass(60_000);
  return [
    ...["batteries", "inverters", "meters", "hem-systems", "users", "locations"].map((name) => `/${name}`),
    `/users/${OWNER}`,
    `/users/${OWNER}/schedules`,
    `/locations/${location.id}`,
    `/schedules/${schedule.id}`,
    `/batteries/actions/${battery.id}`,
    `/hvacs/actions/${hvac.id}`,
    `/chargers/${ids["charger"]}/smart-override`,
  ];
}

it("Every date is the same after the gateway has started again days later", async () => {
  const home = makeHome();
  addDevices(home);
  const first = await open(home);
  await first.pass(5_000);
  const urls = await fill(first);
  const before = await datesOf(first, urls);
  await first[Symbol.asyncDispose]();
  await home.world.clock.advance(THREE_DAYS_MS);
  await using second = await open(home);
  await second.pass(60_000);
  expect(await datesOf(second, urls)).toEqual(before);
  // Each kind of date was there to be compared.
  const kinds = new Set(Object.keys(before).map((path) => path.split(".").at(-1)));
  expect([...kinds].sort()).toEqual(
    ["completedAt", "createdAt", "endedAt", "fromTimestamp", "installationDate", "toTimestamp"].sort(),
  );
});

it("A webhook says when it was made, after a restart too", async () => {
  const home = makeHome();
  addDevices(home);
  const first = await open(home);
  const { clock } = home.world;
  const { random } = first.run.process.platform;
  const client = await clock.resolve(createClient({ store: first.run.store, clock, random }, "kept"), 10_000);
  const asClient = async (house: RealHouse): Promise<{ authorization: string }> => ({
    authorization: `Bearer ${await clock.resolve(getToken(house.api, client), 10_000)}`,
  });
  const payload = { url: "https://hooks.example/in", secret: "example-secret" };
  const made = await first.ask({ method: "POST", url: "/webhooks", payload, headers: await asClient(first) });
  const { id, createdAt, lastSuccess } = made.json<{ id: string; createdAt: string; lastSuccess: string }>();
  expect(createdAt).toEqual(expect.any(String));
  await first[Symbol.asyncDispose]();
  await clock.advance(THREE_DAYS_MS);
  await using second = await open(home);
  const again = await second.ask({ url: `/webhooks/${id}`, headers: await asClient(second) });
  expect(again.json()).toMatchObject({ createdAt, lastSuccess });
});

it("The day in installedOn is the installation date, from local midnight; without it the first meeting is", async () => {
  const home = makeHome();
  addDevices(home);
  await using house = await open(home);
  await house.pass(5_000);
  const ids = await idsOf(house);
  const read = async (url: string): Promise<unknown> => (await house.ask({ url })).json();
  // Berlin is two hours ahead of UTC in May.
  expect(await read(`/inverters/${ids["inverter"]}`)).toMatchObject({
    information: { installationDate: "2020-05-16T22:00:00.000Z" },
  });
  expect(await read(`/batteries/${ids["battery"]}`)).toMatchObject({
    information: { installationDate: expect.stringMatching(/^2026-06-21T00:00:0/) },
  });
});

it("An energy system was installed on the earliest installedOn of its devices; without any at their first meeting", async () => {
  const home = makeHome();
  addDevices(home);
  const dateIn = async (house: RealHouse): Promise<string | undefined> => {
    await house.pass(5_000);
    const answer = await house.ask({ url: "/hem-systems" });
    return answer.json<{ data: { information: { installationDate: string } }[] }>().data[0]?.information
      .installationDate;
  };
  {
    await using house = await open(home, { battery: "2021-03-01", inverter: INSTALLED_ON });
    expect(await dateIn(house)).toBe("2020-05-16T22:00:00.000Z");
  }
  await using house = await open(home, {});
  expect(await dateIn(house)).toMatch(/^2026-06-21T00:00:/);
});
