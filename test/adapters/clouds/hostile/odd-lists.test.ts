/** Strangers in each list that a vendor answers with: whatever stands beside a device, the device is what it was. */
import type { Reading } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import type { CloudListing } from "../../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";
import type { CloudTwin } from "../../../twins/clouds/cloud-twin.ts";
import { fakeSession } from "../fake-session.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";

const LIMIT_MS = 10 * 60_000;
const START_MS = Date.UTC(2026, 5, 21, 10);
const { signal } = new AbortController();

/** What a list may hold beside what belongs there, by the first that does. */
type Strangers = (first: unknown) => readonly unknown[];

/** These are no devices, of whatever kind. */
const NO_DEVICES: readonly (readonly [string, Strangers])[] = [
  ["nothing", () => [null]],
  ["values of other kinds", () => [7, false, [], ""]],
];
/** These may be devices of which nothing is known, and then the site's sums are not known either. */
const ODD_DEVICES: readonly (readonly [string, Strangers])[] = [
  ["empty objects", () => [{}]],
  ["entries without a value", (first) => [likeness(first, null)]],
  ["entries of other types", (first) => [likeness(first, {}), likeness(first, []), likeness(first, "x")]],
  ["bare texts", () => ["x"]],
];

function likeness(first: unknown, value: unknown): unknown {
  if (typeof first !== "object" || first === null) return value;
  return Object.fromEntries(Object.keys(first).map((key) => [key, value]));
}

function spoilt(value: unknown, strangers: Strangers): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [...strangers(value[0]), ...value, ...strangers(value[0])];
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spoilt(part, strangers)]));
}

function spoil(twin: CloudTwin, strangers: Strangers): void {
  const serve = twin.serve.bind(twin);
  twin.serve = (request) => {
    const answer = serve(request);
    if (answer.body === undefined || answer.body === "") return answer;
    return { ...answer, body: JSON.stringify(spoilt(JSON.parse(answer.body), strangers)) };
  };
}

interface Found {
  readonly listing: CloudListing;
  readonly points: readonly string[];
  readonly controls: readonly string[];
  readonly readings: Readonly<Record<string, Reading["value"] | unknown>>;
}

/** All devices of the account, as they are listed, opened and read. */
async function findAll({ connector, make }: Subject, strangers?: Strangers) {
  const clock = new VirtualClock({ startMs: START_MS });
  const { twin, grant } = make(clock);
  const session = fakeSession({ connector, twin, clock, grant: await grant() });
  if (strangers !== undefined) spoil(twin, strangers);
  const found: Found[] = [];
  for (const listing of await connector.list(session, signal)) {
    if (/\bx$/.test(listing.key)) continue;
    const device = await clock.resolve(connector.open(session, listing.key, signal), LIMIT_MS);
    const told = await clock.resolve(device.read(signal), LIMIT_MS);
    const readings = Object.fromEntries(told.map(({ point, value }) => [point, value]));
    found.push({ listing, points: device.points, controls: device.controls.map(({ point }) => point), readings });
  }
  return found;
}

const ACCOUNTS = [...new Map(SUBJECTS.map((subject) => [subject.connector.id, subject])).entries()];

describe.each(ACCOUNTS)("%s", (_id, subject) => {
  test.each(NO_DEVICES)("is what it was beside %s", async (_name, strangers) => {
    const honest = await findAll(subject);
    expect(honest.length).toBeGreaterThan(0);
    expect(await findAll(subject, strangers)).toEqual(honest);
  });

  test.each(ODD_DEVICES)("loses no device to %s", async (_name, strangers) => {
    const keys = (await findAll(subject)).map(({ listing }) => listing.key);
    expect((await findAll(subject, strangers)).map(({ listing }) => listing.key)).toEqual(keys);
  });
});
