import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVED_VERSIONS } from "../../../src/api/versions/served-versions.ts";
import { PROBLEMS } from "../../../src/domain/problem.ts";
import { countedExpect } from "../../counted-expect.ts";
import { type ApiHouse, openHouse } from "../support/api-house.ts";
import { checkerOf, type Description, faultsOf, follow, operationsOf, refsOf } from "../support/description.ts";
import { agreedFiles, type Golden, goldenFiles, readGoldens, writeGoldens } from "../support/goldens.ts";
import type { Json } from "../support/json-changes.ts";
import { makeBattery, makeBatteryAction, makeCharger, makeInverter, makeMeter, uuid } from "../support/makers.ts";

/** Oldest first. */
const DATES = SERVED_VERSIONS.map(({ date }) => date).reverse();

const linesOf = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`;

async function describeVersion(house: ApiHouse, date: string): Promise<Golden> {
  return { date, document: (await house.api.inject({ url: `/openapi.json?version=${date}` })).json<Json>() };
}

async function describeApi(house: ApiHouse): Promise<Description> {
  return (await house.api.inject({ url: "/openapi.json" })).json<Description>();
}

/** It says the same in each house, and is what takes the time. */
let house: ApiHouse;
let document: Description;

beforeAll(async () => {
  house = await openHouse();
  document = await describeApi(house);
});
afterAll(async () => await house[Symbol.asyncDispose]());

describe("the description", () => {
  beforeAll(async () => {
    if (process.env["UPDATE_GOLDEN"] !== "1") return;
    writeGoldens(await Promise.all(DATES.map(async (date) => await describeVersion(house, date))));
  });

  it.each(DATES)("of %s is the one that was agreed on (UPDATE_GOLDEN=1 agrees on a new one)", async (date) => {
    const { document: own } = await describeVersion(house, date);
    const agreed = readGoldens(DATES).find((golden) => golden.date === date)?.document ?? null;
    expect(linesOf(own)).toBe(linesOf(agreed));
  });

  it("is kept for the versions that are served, and for no other", () => {
    expect(agreedFiles()).toEqual(goldenFiles(DATES));
  });

  it("is OpenAPI 3.1 of the newest version", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "2024-10-01" } });
  });

  it("refers to nothing that is not there, and has nothing that nobody refers to", () => {
    const refs = refsOf(document);
    expect(refs.filter((ref) => follow(document, ref) === undefined)).toEqual([]);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !refs.includes(`#/components/schemas/${name}`))).toEqual([]);
    expect(names.filter((name) => name.endsWith("Input"))).toEqual([]);
  });

  it("gives every operation an id of its own, a tag and a summary", () => {
    const operations = operationsOf(document);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ operation }) => !(operation.operationId && operation.summary))).toEqual([]);
    expect(operations.filter(({ operation }) => operation.tags?.length !== 1)).toEqual([]);
  });

  it("lists for every operation the problems any request can meet", () => {
    for (const { operation } of operationsOf(document)) {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["400", "421", "500"]));
    }
  });

  it("names only problems that exist, under their status", () => {
    const expectStatus = countedExpect();
    for (const { operation } of operationsOf(document)) {
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (!description.startsWith("Problem ")) continue;
        const slugs = [...description.matchAll(/`([a-z-]+)`/g)].map(([, slug = ""]) => slug);
        const statuses = slugs.map((slug) => PROBLEMS[slug as keyof typeof PROBLEMS]?.status);
        expectStatus(new Set(statuses)).toEqual(new Set([Number(status)]));
      }
    }
    expectStatus.wasCalled();
  });

  it("asks for a token everywhere but where none is needed", () => {
    const open = operationsOf(document).filter(({ operation }) => operation.security !== undefined);
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "delete /local/session",
      "get /.well-known/oauth-authorization-server",
      "get /health/energy",
      "get /health/ready",
      "get /local/claim",
      "get /local/https",
      "get /local/https/authority.crt",
      "get /local/session",
      "post /local/claim",
      "post /local/session",
      "post /local/session/passkey",
      "post /local/session/passkey/options",
      "post /oauth2/token",
    ]);
    expect(document).toMatchObject({ security: [{ clientCredentials: [] }, { bearer: [] }, { session: [] }] });
    expect(document.components.securitySchemes).toMatchObject({
      clientCredentials: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/oauth2/token", scopes: {} } } },
      bearer: { type: "http", scheme: "bearer" },
      session: { type: "apiKey", in: "cookie", name: "hemgate-session" },
    });
  });

  it("has examples for its main records, each true to its schema", () => {
    const { schemas } = document.components;
    for (const [name, schema] of Object.entries(schemas)) {
      const { examples = [], ...rest } = schema as { examples?: unknown[] };
      for (const example of examples) {
        expect({ name, error: checkerOf(document, rest).safeParse(example).error }).toEqual({ name });
      }
    }
    const named = Object.entries(schemas).filter(([, schema]) => "examples" in schema);
    expect(named.map(([name]) => name)).toEqual(
      expect.arrayContaining(["Battery", "Charger", "Inverter", "Meter", "BatteryAction", "Problem"]),
    );
  });

  it("closes the bodies of commands and keeps answers open for fields to come", () => {
    const { schemas } = document.components;
    expect(schemas).toMatchObject({
      OperationModeRequest: { additionalProperties: false },
      ChargingRequest: { additionalProperties: false },
      MaxCurrentRequest: { additionalProperties: false },
    });
    expect(checkerOf(document, schemas["Battery"]!).safeParse({ ...makeBattery(), colour: "red" }).success).toBe(true);
  });

  it("is strict enough to notice a wrong record", () => {
    const check = checkerOf(document, document.components.schemas["Battery"]!);
    expect(check.safeParse({ ...makeBattery(), isReachable: "yes" }).success).toBe(false);
  });

  it("names the version header by the configured prefix", async () => {
    await using other = await openHouse({ config: { compat: { namePrefix: "Acme" } } });
    expect(await describeApi(other)).toMatchObject({
      components: { parameters: { version: { name: "Acme-Version" } } },
    });
  });
});

describe("the answers of the API are as described", () => {
  const cases: [operationId: string, status: number, request: InjectOptions][] = [
    ["listBatteries", 200, { url: "/batteries" }],
    ["listBatteries", 400, { url: "/batteries?pageSize=0" }],
    ["listBatteries", 401, { url: "/batteries", headers: { authorization: "Bearer no" } }],
    ["listBatteries", 421, { url: "/batteries", headers: { host: "evil.example" } }],
    ["listChargers", 200, { url: "/chargers?pageSize=1" }],
    ["listInverters", 200, { url: "/inverters" }],
    ["listMeters", 200, { url: "/meters" }],
    ["listUserBatteries", 200, { url: "/users/home/batteries" }],
    ["listUserMeters", 404, { url: "/users/nobody/meters" }],
    ["getBattery", 200, { url: `/batteries/${uuid(1)}` }],
    ["getBattery", 404, { url: "/batteries/none" }],
    ["getCharger", 200, { url: `/chargers/${uuid(2)}` }],
    ["getInverter", 200, { url: `/inverters/${uuid(3)}` }],
    ["getMeter", 200, { url: `/meters/${uuid(4)}` }],
    ["refreshMeter", 204, { method: "POST", url: `/meters/${uuid(4)}/refresh-hint` }],
    ["refreshMeter", 404, { method: "POST", url: "/meters/none/refresh-hint" }],
    [
      "setBatteryOperationMode",
      200,
      { method: "POST", url: `/batteries/${uuid(1)}/operation-mode`, payload: { operationMode: "IDLE" } },
    ],
    ["setBatteryOperationMode", 400, { method: "POST", url: `/batteries/${uuid(1)}/operation-mode`, payload: {} }],
    [
      "setBatteryOperationMode",
      415,
      {
        method: "POST",
        url: `/batteries/${uuid(1)}/operation-mode`,
        payload: "x",
        headers: { "content-type": "text/plain" },
      },
    ],
    ["setChargerCharging", 200, { method: "POST", url: `/chargers/${uuid(2)}/charging`, payload: { action: "STOP" } }],
    [
      "setChargerMaxCurrent",
      200,
      { method: "POST", url: `/chargers/${uuid(2)}/max-current`, payload: { maxCurrent: 8 } },
    ],
    ["setChargerMaxCurrent", 404, { method: "POST", url: "/chargers/none/max-current", payload: { maxCurrent: 8 } }],
    ["getBatteryAction", 200, { url: `/batteries/actions/${uuid(5)}` }],
    ["getChargerAction", 404, { url: `/chargers/actions/${uuid(5)}` }],
    ["cancelBatteryAction", 200, { method: "POST", url: `/batteries/actions/${uuid(5)}/cancel` }],
    ["cancelBatteryAction", 409, { method: "POST", url: `/batteries/actions/${uuid(6)}/cancel` }],
    ["getReadiness", 204, { url: "/health/ready" }],
    [
      "createToken",
      401,
      {
        method: "POST",
        url: "/oauth2/token",
        payload: "grant_type=client_credentials",
        headers: { "content-type": "application/x-www-form-urlencoded", authorization: "Basic eDp5" },
      },
    ],
    ["createToken", 400, { method: "POST", url: "/oauth2/token" }],
    ["createToken", 421, { method: "POST", url: "/oauth2/token", headers: { host: "evil.example" } }],
  ];

  it.each(cases)("%s: %i", async (operationId, status, request) => {
    await using own = await openHouse();
    const { engine } = own;
    engine.add("battery", makeBattery({ id: uuid(1) }));
    engine.add("charger", makeCharger({ id: uuid(2) }));
    engine.add("inverter", makeInverter({ id: uuid(3) }));
    engine.add("meter", makeMeter({ id: uuid(4) }));
    engine.known.set(uuid(5), makeBatteryAction({ id: uuid(5) }));
    engine.known.set(uuid(6), makeBatteryAction({ id: uuid(6), state: "CONFIRMED" }));
    const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
    const answer = await own.ask(request);
    expect(answer.statusCode).toBe(status);
    expect(faultsOf(document, found!.operation, answer)).toEqual([]);
  });
});
