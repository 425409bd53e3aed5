/** A bed for the adapter: a house with one device at an address, in virtual time. */
import assert from "node:assert/strict";
import type { ControlPoint, Driver, PointName, PointValue } from "hemgate/sdk";
import { MemoryAccountNotes, MemoryDisk, MemoryNotes, World } from "hemgate/testing";
import { type HttpOptions, httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { KNOWN_HTTP_PROFILES } from "../../../adapters/http-json/known-http-profiles.ts";
import { type HttpTwin, listen } from "../../twins/http-devices/http-twin.ts";

export const HOST = "192.168.1.40";
export const FINGERPRINT = "ab".repeat(32);
export const calm = new AbortController().signal;
/** More than any call may take. */
const LIMIT_MS = 60_000;

export type Given = Omit<Partial<HttpOptions>, "host"> & { readonly profile: string };

export function bed(twin: Pick<HttpTwin, "serve">, given: Given, fingerprint = FINGERPRINT) {
  const world = new World({ seed: 7 });
  const profile = KNOWN_HTTP_PROFILES.find(({ id }) => id === given.profile);
  if (profile === undefined) throw new RangeError(given.profile);
  const isTls = (given.scheme ?? profile.scheme) === "https";
  const port = given.port ?? profile.port;
  listen(world.web, HOST, port, twin, isTls ? fingerprint : undefined);
  const { platform, log } = world.boot("gateway", new MemoryDisk());
  const mqtt = { link: () => assert.fail("no device here speaks MQTT") };
  const notes = new MemoryNotes();
  const accounts = new MemoryAccountNotes();
  const start = () => httpJsonAdapter.start({ ...platform, mqtt, log, notes, accounts });
  let adapter = start();
  const options = httpJsonAdapter.options.parse({ host: HOST, ...given });
  return {
    world,
    log,
    get adapter() {
      return adapter;
    },
    options,
    /** As a restart does: only the notes stay. */
    restart: () => {
      adapter = start();
    },
    /** Serves another certificate from now on. */
    changeCertificate: (sha256: string) => listen(world.web, HOST, port, twin, sha256),
    connect: (change: Partial<HttpOptions> = {}) =>
      world.clock.resolve(adapter.connect("device", { ...options, ...change }, calm), LIMIT_MS),
    read: (driver: Driver, scope: "due" | "all" = "all") => world.clock.resolve(readMap(driver, scope), LIMIT_MS),
    write: (driver: Driver, point: ControlPoint, value: PointValue) =>
      world.clock.resolve(driver.write(point, value, calm), LIMIT_MS),
  };
}

async function readMap(driver: Driver, scope: "due" | "all"): Promise<Readonly<Partial<Record<PointName, unknown>>>> {
  const readings = await driver.read(scope, calm);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}
