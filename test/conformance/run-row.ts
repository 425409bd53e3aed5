/** Asks what a row asks, in one version, and tells what is not as the row says. */
import { createHmac } from "node:crypto";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import { SERVED_VERSIONS } from "../../src/api/versions/served-versions.ts";
import { DeviceError } from "../../src/points/device-error.ts";
import type { PointName, PointValue } from "../../src/points/points.ts";
import { type Description, faultsOf, operationFor } from "../api/support/description.ts";
import type { RealHouse } from "../api/support/real-house.ts";
import { type ConformanceHouse, type HouseKind, idsOf, OWNER, openConformanceHouse } from "./house.ts";
import type { Answering, Ask, Expected, Happening, Row, Told, Versions } from "./row.ts";

/** From this version on a header with the user's id is refused. */
const USERS_IN_PATHS = "2023-08-01";

const DATES = SERVED_VERSIONS.map(({ date }) => date);

/** The versions that a row is about, newest first. */
export function versionsOf(versions: Versions = "all"): readonly string[] {
  if (versions === "all") return DATES;
  if (isList(versions)) return versions.filter((date) => DATES.includes(date));
  const { from = "", before = "9" } = versions;
  return DATES.filter((date) => date >= from && date < before);
}

function isList(versions: Versions): versions is readonly string[] {
  return Array.isArray(versions);
}

const documents = new Map<string, Description>();

async function documentOf(house: RealHouse, version: string): Promise<Description> {
  const known = documents.get(version);
  if (known !== undefined) return known;
  const document = (await house.ask({ url: `/openapi.json?version=${version}` })).json<Description>();
  documents.set(version, document);
  return document;
}

/** Houses that any number of rows may ask that change nothing; and one of its own for every other row. */
export interface Houses extends AsyncDisposable {
  faultsIn(row: Row, version: string): Promise<readonly string[]>;
}

export function openHouses(): Houses {
  const shared = new Map<HouseKind, Promise<OpenHouse>>();
  return {
    async faultsIn(row, version) {
      const kind = row.house ?? "home";
      if (changesNothing(row)) {
        const opening = shared.get(kind) ?? openHouse(kind);
        shared.set(kind, opening);
        const { house, ids } = await opening;
        return await faultsAt(house, row, { version, names: { ...ids } });
      }
      const { house, ids } = await openHouse(kind);
      await using own = house;
      return await faultsAt(own, row, { version, names: ids });
    },
    [Symbol.asyncDispose]: async () => {
      for (const opening of shared.values()) await (await opening).house[Symbol.asyncDispose]();
    },
  };
}

interface OpenHouse {
  readonly house: ConformanceHouse;
  readonly ids: Record<string, string>;
}

async function openHouse(kind: HouseKind): Promise<OpenHouse> {
  const house = await openConformanceHouse(kind);
  return { house, ids: await idsOf(house) };
}

/** Reads, and requests that are refused; nothing but reads around them, and no time that passes. */
function changesNothing({ given = [], request, expect: { status }, afterwards = [] }: Row): boolean {
  // Limits are reached by reads too.
  if (status === 429) return false;
  const isRefused = status >= 400;
  return (isRead(request) || (isRefused && request.after === undefined)) && [...given, ...afterwards].every(isRead);
}

function isRead(step: object): boolean {
  return "ask" in step && String(step.ask).startsWith("GET ") && !("after" in step);
}

/** What is not as the row says; empty when all is. */
async function faultsAt(house: ConformanceHouse, row: Row, scene: Scene): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const step of row.given ?? []) {
    if (!("ask" in step)) {
      await happen(house, step);
      continue;
    }
    const answer = await send(house, step, scene);
    if (answer.statusCode >= 400) return [`given ${step.ask}: ${answer.statusCode} ${answer.body}`];
  }
  for (const step of [{ ...row.request, expect: row.expect }, ...(row.afterwards ?? [])]) {
    if ("device" in step || "receiver" in step) await happen(house, step);
    else if ("ask" in step) faults.push(...(await answerFaults(house, step, scene)));
    else faults.push(...(await toldFaults(house, step, scene)));
  }
  return faults;
}

async function answerFaults(
  house: ConformanceHouse,
  step: Ask & { readonly expect: Expected },
  scene: Scene,
): Promise<readonly string[]> {
  const answer = await send(house, step, scene);
  const found = [
    ...unexpected(answer, resolved(step.expect, scene.names)),
    ...(await strangeness(house, step, answer, scene.version)),
  ];
  return found.map((fault) => `${step.ask}: ${fault}`);
}

async function happen(house: ConformanceHouse, step: Happening | Answering): Promise<void> {
  if ("receiver" in step) {
    house.receiver.answer = () => ({ status: step.receiver });
    return;
  }
  const device = house.home.devices[step.device];
  if (device === undefined) throw new Error(`the house has no device ${step.device}`);
  for (const [point, value] of Object.entries(step.show ?? {}))
    device.show(point as PointName, value as PointValue | null);
  if (step.isUp !== undefined) device.isUp = step.isUp;
  if (step.failsBy !== undefined) device.failsReads = failure(step.failsBy);
  if (step.hangs) device.hangsOn = "read";
  if (step.ignoresCommands) device.onWrite = () => undefined;
  if (step.after !== undefined) await house.pass(step.after * 1_000);
}

function failure(by: NonNullable<Happening["failsBy"]>): DeviceError {
  return by === "rejected" || by === "unauthorized"
    ? new DeviceError(by, "no")
    : new DeviceError("unreachable", "not now", { reason: by });
}

async function toldFaults(house: ConformanceHouse, step: Told, { names }: Scene): Promise<readonly string[]> {
  if (step.after !== undefined) await house.pass(step.after * 1_000);
  const events = house.receiver.deliveries.flat();
  const { told, notTold } = resolved({ told: step.told, notTold: step.notTold }, names);
  const was = (event: object): boolean =>
    events.some((one) => fault("", () => expect(one).toMatchObject(event)).length === 0);
  const said = events.map(({ event }) => event).join(", ");
  return [
    ...(told === undefined || was(told) ? [] : [`not told ${JSON.stringify(told)}, but ${said}`]),
    ...(notTold === undefined || !was(notTold) ? [] : [`told ${JSON.stringify(notTold)}`]),
    ...requestFaults(house, step),
  ];
}

/** What is not as said of the requests that the receiver got. */
function requestFaults({ receiver }: ConformanceHouse, { requests, headers, signedWith }: Told): readonly string[] {
  const got = receiver.requests;
  return [
    ...(requests === undefined ? [] : fault("requests", () => expect(got.length).toBe(requests))),
    ...got.flatMap(({ headers: sent, body }) => [
      ...(headers === undefined ? [] : fault("headers", () => expect(sent).toMatchObject(headers))),
      ...(signedWith === undefined
        ? []
        : fault("signature", () => expect(sent).toMatchObject(signaturesOf(body, signedWith)))),
    ]),
  ];
}

function signaturesOf(body: string, secret: string): object {
  const of = (algorithm: string): string => `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
  return { "x-service-signature": of("sha1"), "x-service-signature-256": of("sha256") };
}

interface Scene {
  readonly version: string;
  readonly names: Record<string, string>;
}

async function send(house: ConformanceHouse, asked: Ask, { version, names }: Scene): Promise<LightMyRequestResponse> {
  if (asked.after !== undefined) await house.pass(asked.after * 1_000);
  const step = asked.as === "guest" ? { ...asked, token: await house.guestToken() } : asked;
  const answer = await (step.token === undefined
    ? house.ask(requestOf(step, { version, names }))
    : house.home.world.clock.resolve(
        house.api.inject(requestOf(step, { version, names })).then((x) => x),
        10_000,
      ));
  for (const [name, place] of Object.entries(step.keep ?? {})) names[name] = partOf(answer, place);
  return answer;
}

/** Returns the field of a JSON answer, or what the first group of the pattern matches on a page. */
function partOf(answer: LightMyRequestResponse, place: string | RegExp): string {
  if (place instanceof RegExp) return place.exec(answer.body)?.[1] ?? "";
  return String(place.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), answer.json()));
}

function requestOf(step: Ask, { version: rowVersion, names }: Scene): InjectOptions {
  const [method = "GET", url = "/"] = resolved(step.ask, names).split(" ");
  const version = step.version === undefined ? rowVersion : step.version;
  const headers = {
    ...(version !== null && { "service-version": version }),
    ...(version !== null && version < USERS_IN_PATHS && { "service-user-id": OWNER }),
    ...(step.token !== undefined && step.token !== null && { authorization: `Bearer ${step.token}` }),
    ...resolved(step.headers ?? {}, names),
  };
  const body = resolved(step.body, names);
  return { method: method as "GET", url, headers, ...(body !== undefined && { payload: body as object }) };
}

/** A copy with the names in braces replaced by what they stand for. */
function resolved<Value>(value: Value, names: Readonly<Record<string, string>>): Value {
  if (typeof value === "string")
    return value.replaceAll(/\{(\w+)\}/g, (all, name: string) => names[name] ?? all) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => resolved(item, names)) as Value;
  // Matchers, and nothing else here, have prototypes of their own.
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child, names)])) as Value;
}

function unexpected(answer: LightMyRequestResponse, expected: Expected): string[] {
  return [
    ...fault("status", () => expect(answer.statusCode, answer.body).toBe(expected.status)),
    ...(expected.isEmpty ? fault("body", () => expect(answer.body).toBe("")) : []),
    ...("body" in expected
      ? fault("body", () => expect(answer.json(), answer.body).toMatchObject(Object(expected.body)))
      : []),
    ...("exactly" in expected ? fault("body", () => expect(answer.json(), answer.body).toEqual(expected.exactly)) : []),
    ...("text" in expected ? fault("text", () => expect(answer.body).toEqual(expected.text)) : []),
    ...(expected.lacks ?? []).flatMap((path) => fault(path, () => expect(answer.json()).not.toHaveProperty(path))),
    ...(expected.headers ? fault("headers", () => expect(answer.headers).toMatchObject(expected.headers ?? {})) : []),
    ...(expected.problem === undefined ? [] : problemFaults(answer, expected.problem)),
  ];
}

function problemFaults(answer: LightMyRequestResponse, slug: string): string[] {
  return fault("problem", () => {
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({
      type: `/problems/${slug}`,
      title: expect.any(String),
      detail: expect.any(String),
    });
  });
}

function fault(name: string, check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Where the answer is not what the version's description says of it. */
async function strangeness(
  house: RealHouse,
  step: Ask,
  answer: LightMyRequestResponse,
  rowVersion: string,
): Promise<string[]> {
  const version = step.version === null ? String(answer.headers["service-version"]) : (step.version ?? rowVersion);
  if (!DATES.includes(version)) return [];
  const document = await documentOf(house, version);
  const [method = "GET", url = "/"] = step.ask.split(" ");
  const operation = operationFor(document, method, url.split("?")[0] ?? "");
  return operation === null ? [] : faultsOf(document, operation, answer);
}
