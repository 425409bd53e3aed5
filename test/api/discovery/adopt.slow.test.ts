/** What has to be said, and may be said, when a found device is added. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdoptBody, FoundOnNetwork, FoundSetup } from "../../../src/domain/discovery/discovery.ts";
import type { Problem } from "../../../src/domain/problem.ts";
import { chain, common, imageOf, inverter103, storage124 } from "../../adapters/modbus/sunspec/images.ts";
import { HYBRID, makeModbusHome } from "../../engine/discovery/modbus-home.ts";
import { HOMEWIZARD_TOKEN, HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import { listen } from "../../twins/http-devices/http-twin.ts";
import { ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const URL = "/local/discovery";
/** Of a host or two. */
const SEARCH_MS = 60_000;
const CONNECTED_MS = 20_000;
const HYBRID_HOST = "192.168.1.6";
const SUNSPEC_HOST = "192.168.1.7";

/** A house with an inverter that has settings, and meters that announce themselves and want something first, or are silent. */
async function openHouse() {
  const home = makeModbusHome({ isListening: false, followsAddresses: false });
  const server = await home.place(HYBRID, HYBRID_HOST);
  const meter = (type: string, name: string, txt: Readonly<Record<string, string>>, address: string): void => {
    home.world.mdns.announce({ type, name, host: `${name}.local`, addresses: [address], port: 80, txt });
  };
  const p1 = { product_type: "HWE-P1", product_name: "P1 Meter" };
  meter("_homewizard._tcp", "p1-new", { ...p1, serial: "5c2fafaabb01" }, "192.168.1.11");
  meter("_hwenergy._tcp", "p1-shut", { ...p1, serial: "5c2fafaabb02", api_enabled: "0" }, "192.168.1.12");
  meter("_shelly._tcp", "shellyplus1pm-aabbccddeeff", { gen: "2", app: "Plus1PM" }, "192.168.1.13");
  const house = await openRealHouse({ home });
  await house.ask({ method: "POST", url: URL, payload: { isActive: true, hosts: [HYBRID_HOST] } });
  await house.pass(SEARCH_MS);
  return { home, house, server, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

async function idOf(house: RealHouse, serial: string): Promise<string> {
  const { devices } = (await house.ask({ method: "GET", url: URL })).json<{
    devices: { id: string; serial: string }[];
  }>();
  return devices.find((device) => device.serial === serial)?.id ?? "not found";
}

const hybrid = (house: RealHouse): Promise<string> => idOf(house, "2205123456");

async function adopt(
  house: RealHouse,
  id: string,
  payload: Partial<AdoptBody> | Readonly<Record<string, unknown>>,
  query = "",
) {
  const answer = await house.ask({ method: "POST", url: `${URL}/${id}/adopt${query}`, payload });
  return { status: answer.statusCode, ...answer.json<Problem>() };
}

function optionsOf(house: RealHouse): readonly unknown[] {
  return house.run.store.all("device").map(({ options }) => options);
}

describe("what is to be decided about a found device", () => {
  test("is told with its limits, and with what each confirmation turns on", async () => {
    await using found = await openHouse();
    const { house } = found;
    const { fields, needs } = (await house.ask({ url: `${URL}/${await hybrid(house)}/setup` })).json<FoundSetup>();
    expect(needs).toEqual([]);
    expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ["settings.maxChargeW", "number", false],
      ["settings.minSoc", "number", false],
      ["settings.maxSoc", "number", false],
      ["confirmUnverified", "confirm", false],
      ["confirmNoFailsafe", "confirm", false],
    ]);
    expect(fields[0]).toMatchObject({ min: 100, max: 20_000, unit: "W", initial: "2000" });
    expect(fields[3]).toMatchObject({ details: [{ point: "battery.mode", confidence: "derived", isTimer: false }] });
    expect(fields[4]).toMatchObject({ details: [{ point: "battery.mode", values: ["IMPORT_FOCUS"] }] });
    const labelIn = async (language: string) =>
      (await house.ask({ url: `${URL}/${await hybrid(house)}/setup?language=${language}` })).json<FoundSetup>()
        .fields[3]?.label;
    expect(await labelIn("xx-XX")).toBe(fields[3]?.label);
    expect(await labelIn("de-AT")).not.toBe(fields[3]?.label);
  });

  test("is not told of what no search found", async () => {
    await using found = await openHouse();
    const { house } = found;
    expect((await house.ask({ url: `${URL}/nothing/setup` })).statusCode).toBe(404);
  });
});

describe("a found device is added", () => {
  test.each([
    ["all of its controls", { confirmUnverified: true }],
    ["those that are named", { confirmUnverified: ["battery.mode"] }],
    ["all of its controls among the options", { options: { confirmUnverified: true } }],
  ])("with its settings and %s confirmed, as the link page would store them", async (_what, confirmed) => {
    await using found = await openHouse();
    const { house } = found;
    const body = { settings: { maxChargeW: 2_500.5 }, ...confirmed, confirmNoFailsafe: false };
    expect(await adopt(house, await hybrid(house), body)).toMatchObject({ status: 200 });
    const [options] = optionsOf(house);
    expect(options).toMatchObject({
      host: HYBRID_HOST,
      profile: "deye-1p",
      settings: { maxChargeW: 2_500.5, minSoc: 20, maxSoc: 95 },
      confirmUnverified: ["battery.mode"],
    });
    expect(options).not.toHaveProperty("confirmNoFailsafe");
    await house.pass(CONNECTED_MS);
    const { data } = (await house.ask({ url: "/users/home/batteries" })).json();
    expect(data).toMatchObject([{ capabilities: { selfReliance: { isCapable: true } } }]);
  });

  test("with the secret that it wants, where it was found, whatever the body says of that, after it was read", async () => {
    await using found = await openHouse();
    const { house } = found;
    listen(house.home.world.web, "192.168.1.11", 443, new HomeWizardTwin(2), "ab".repeat(32));
    const id = await idOf(house, "5c2fafaabb01");
    const { devices } = (await house.ask({ url: "/local/discovery?language=sv-SE" })).json();
    expect(devices.find((each: { id: string }) => each.id === id).proof).toMatch(/^presenterar sig som /u);
    const options = { token: HOMEWIZARD_TOKEN, host: "10.0.0.1" };
    expect(await adopt(house, id, { options }, "?language=nl-NL")).toMatchObject({
      status: 200,
      proof: expect.stringMatching(/^meet -?\d+\sW$/u),
    });
    expect(optionsOf(house)).toMatchObject([
      { profile: "homewizard-v2", host: "192.168.1.11", token: HOMEWIZARD_TOKEN },
    ]);
  });

  test("with a wrong secret only when its owner says so", async () => {
    await using found = await openHouse();
    const { house } = found;
    listen(house.home.world.web, "192.168.1.11", 443, new HomeWizardTwin(2), "ab".repeat(32));
    const id = await idOf(house, "5c2fafaabb01");
    const options = { token: "f".repeat(32) };
    expect(await adopt(house, id, { options })).toMatchObject({
      status: 400,
      detail: "The device refuses the credentials; check them at the device.",
      issues: [{ code: "invalid-credentials", path: ["options", "token"], in: "body" }],
    });
    expect(optionsOf(house)).toEqual([]);
    expect(await adopt(house, id, { options, saveAnyway: true })).toMatchObject({ status: 200, proof: null });
    expect(optionsOf(house)).toMatchObject([{ token: "f".repeat(32) }]);
  });

  test("that is silent only when its owner says so", async () => {
    await using found = await openHouse();
    const { house } = found;
    const id = await idOf(house, "AABBCCDDEEFF");
    const refused = await adopt(house, id, {});
    expect(refused).toMatchObject({ status: 408, issues: [{ path: ["saveAnyway"], in: "body" }] });
    expect(optionsOf(house)).toEqual([]);
    expect(await adopt(house, id, { saveAnyway: true })).toMatchObject({ status: 200, proof: null });
    expect(optionsOf(house)).toHaveLength(1);
  });

  test("that is silent with the settings that its owner chose", async () => {
    await using found = await openHouse();
    const { house } = found;
    const id = await idOf(house, "AABBCCDDEEFF");
    expect(await adopt(house, id, { settings: { channel: 1 } })).toMatchObject({ status: 408 });
    const answer = await adopt(house, id, { settings: { channel: 1 }, saveAnyway: true });
    expect(answer).toMatchObject({ status: 200, proof: null });
    expect(optionsOf(house)).toMatchObject([{ settings: { channel: 1 } }]);
  });

  test("with nothing turned on when nothing is said", async () => {
    await using found = await openHouse();
    const { house } = found;
    expect(await adopt(house, await hybrid(house), {})).toMatchObject({ status: 200 });
    expect(optionsOf(house)).toHaveLength(1);
    expect(optionsOf(house)[0]).not.toHaveProperty("confirmUnverified");
    await house.pass(CONNECTED_MS);
    const { data } = (await house.ask({ url: "/users/home/batteries" })).json();
    expect(data).toMatchObject([{ capabilities: { selfReliance: { isCapable: false } } }]);
  });
});

test("A device that is off and has to be asked what it has is added with all that its owner confirmed, who says so", async () => {
  await using found = await openHouse();
  const { house } = found;
  const registers = chain(40_000, [common("Fronius", "GEN24", "SN-8"), inverter103(), storage124()]);
  const server = await found.home.placeImage(imageOf(registers), SUNSPEC_HOST);
  await house.ask({ method: "POST", url: URL, payload: { isActive: true, hosts: [SUNSPEC_HOST] } });
  await house.pass(SEARCH_MS);
  const id = await idOf(house, "SN-8");
  const { fields } = (await house.ask({ url: `${URL}/${id}/setup` })).json<FoundSetup>();
  expect(fields.map(({ name }) => name)).toEqual(["confirmUnverified"]);
  await server[Symbol.asyncDispose]();
  // Nothing listens at its address any more.
  const setup = await house.ask({ url: `${URL}/${id}/setup` });
  expect([setup.statusCode, setup.json()]).toMatchObject([
    408,
    { issues: [{ code: "connection-refused", path: ["foundId"], in: "path" }] },
  ]);
  const confirmed = { confirmUnverified: true };
  expect(await adopt(house, id, confirmed)).toMatchObject({
    status: 408,
    issues: [{ code: "connection-refused", path: ["saveAnyway"], in: "body" }],
  });
  expect((await adopt(house, id, { confirmUnverified: "yes", saveAnyway: true })).status).toBe(400);
  expect(optionsOf(house)).toEqual([]);
  expect(await adopt(house, id, { ...confirmed, saveAnyway: true })).toMatchObject({ status: 200, proof: null });
  expect(optionsOf(house)).toMatchObject([{ host: SUNSPEC_HOST, profile: "sunspec", confirmUnverified: true }]);
  await using _back = await found.home.placeImage(imageOf(registers), SUNSPEC_HOST);
  await house.pass(5 * CONNECTED_MS);
  const { data } = (await house.ask({ url: "/users/home/batteries" })).json();
  expect(data).toMatchObject([{ isReachable: true, capabilities: { exportFocus: { isCapable: true } } }]);
});

test("both channels of a device are added, each once, and each is known from then on", async () => {
  await using found = await openHouse();
  const { house } = found;
  const answering = { data: () => undefined, closed: () => undefined };
  await house.home.world.net.host().listen({ host: "192.168.1.14", port: 80 }, () => answering);
  listen(house.home.world.web, "192.168.1.14", 80, new ShellyRpcTwin("monophase"));
  house.home.world.mdns.announce({
    type: "_shelly._tcp",
    name: "shellyproem50-aabbccddeeff",
    host: "shelly.local",
    addresses: ["192.168.1.14"],
    port: 80,
    txt: { gen: "2", app: "ProEM50" },
  });
  await house.ask({ method: "POST", url: URL, payload: { isActive: true, hosts: ["192.168.1.14"] } });
  await house.pass(SEARCH_MS);
  const channels = async () => {
    const { devices } = (await house.ask({ url: URL })).json<{ devices: FoundOnNetwork[] }>();
    return devices.filter(({ profile }) => profile === "shelly-gen2-em");
  };
  const ids = (await channels()).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  for (const id of ids) {
    expect(await adopt(house, id, {})).toMatchObject({ status: 200 });
    await house.pass(CONNECTED_MS);
    expect(await adopt(house, id, {})).toMatchObject({ status: 409, detail: expect.stringContaining("already known") });
  }
  expect(new Set((await channels()).map(({ knownAs }) => knownAs)).size).toBe(2);
  const { data } = (await house.ask({ url: "/users/home/meters" })).json();
  expect(data).toMatchObject([{ isReachable: true }, { isReachable: true }]);
});

describe("a found device is not added", () => {
  let open: Awaited<ReturnType<typeof openHouse>>;
  let house: RealHouse;

  beforeAll(async () => {
    open = await openHouse();
    house = open.house;
  });
  afterAll(async () => await open[Symbol.asyncDispose]());

  test.each([
    [{ settings: { maxChargeW: 50_000 } }, ["settings", "maxChargeW"], "a number from 100 to 20000 W"],
    [{ settings: { maxCharge: 2_000 } }, ["settings", "maxCharge"], "it has maxChargeW, minSoc, maxSoc"],
    [{ settings: { maxChargeW: "2000" } }, ["settings", "maxChargeW"], "Expected a number, received a string"],
    [{ confirmUnverified: ["battery.power"] }, ["confirmUnverified"], "it has battery.mode"],
    [{ confirmUnverified: "yes" }, ["confirmUnverified"], "Expected "],
    [{ options: { confirmUnverified: "yes" } }, ["options", "confirmUnverified"], "true once its owner"],
    [{ options: { colour: "red" } }, ["options", "colour"], "no such option; it has host, port"],
    [{ options: { pollMs: true } }, ["options", "pollMs"], "Expected an object"],
  ])("with %j", async (body, path, message) => {
    const answer = await adopt(house, await hybrid(house), body);
    expect(answer.status).toBe(400);
    expect(answer.issues).toMatchObject([{ path, in: "body" }]);
    expect(answer.detail).toContain(message);
    expect(answer.detail).toContain(path.join("."));
    expect(optionsOf(house)).toEqual([]);
  });

  test("without the secret that it wants", async () => {
    const id = await idOf(house, "5c2fafaabb01");
    const answer = await adopt(house, id, { name: "Meter" });
    expect(answer).toMatchObject({ status: 400, issues: [{ code: "invalid_type", path: ["options", "token"] }] });
    expect(answer.detail).toBe("body.options.token: Required by the device");
    expect(optionsOf(house)).toEqual([]);
  });

  test("that does not answer with the settings that say where to read it", async () => {
    const answer = await adopt(house, await idOf(house, "AABBCCDDEEFF"), { settings: { channel: 1 } });
    expect(answer).toMatchObject({
      status: 408,
      detail:
        "The device does not answer with these settings; check its address and whether it is on. If another program holds its only connection, end that, and let the program read through the gateway's Modbus proxy.",
    });
    expect(optionsOf(house)).toEqual([]);
  });

  test("before its interface is switched on", async () => {
    const id = await idOf(house, "5c2fafaabb02");
    const answer = await adopt(house, id, { options: { localApi: true } });
    expect(answer).toMatchObject({ status: 409, detail: expect.stringContaining("needs localApi switched on") });
  });
});
