import { expect, test } from "vitest";
import type { CloudDevice } from "../../../adapters/clouds/kit/connector.ts";
import { sensibo } from "../../../adapters/clouds/sensibo/sensibo.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { SensiboTwin, sensiboPod } from "../../twins/clouds/sensibo-twin.ts";
import { fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();
const KEYS = ["A1", "B2", "C3"];
const PERIOD_MS = 90_000;

async function devices() {
  const clock = new VirtualClock();
  const twin = new SensiboTwin(clock);
  twin.pods.push(...KEYS.map((key) => sensiboPod(key)));
  const grant = { access: "sensibo-key-1", refresh: null, expiresAtMs: null };
  const session = fakeSession({ connector: sensibo, twin, clock, grant });
  const opened: CloudDevice[] = [];
  for (const key of KEYS) opened.push(await sensibo.open(session, key, signal));
  /** Each is read once, at its own time of the period. */
  const round = async () => {
    for (const device of opened) {
      await clock.advance(PERIOD_MS / KEYS.length);
      await device.read(signal);
    }
  };
  return { clock, twin, opened, round };
}

test("devices that are read at different times of a period make one request a period", async () => {
  const { twin, round } = await devices();
  await round();
  const before = twin.asked.length;
  await round();
  await round();
  expect(twin.asked.length - before).toBe(2);
});

test("what another device brought is taken at once, and costs nothing", async () => {
  const { clock, twin, opened } = await devices();
  const [first, second] = opened;
  await clock.advance(PERIOD_MS);
  expect(second?.wantsRead?.()).toBe(false);
  await first?.read(signal);
  await clock.advance(10_000);
  expect([first, second].map((device) => device?.wantsRead?.())).toEqual([false, true]);
  const before = twin.asked.length;
  await second?.read(signal);
  expect(twin.asked.length).toBe(before);
  expect(second?.wantsRead?.()).toBe(false);
});

test("what another device brought in the moment of a reading that failed is taken", async () => {
  const { clock, twin, opened } = await devices();
  const [first, second] = opened;
  await clock.advance(PERIOD_MS);
  twin.trouble = "down";
  await expect(second?.read(signal)).rejects.toThrow();
  twin.trouble = null;
  await first?.read(signal);
  await clock.advance(1);
  expect(second?.wantsRead?.()).toBe(true);
});

test("what a command changed is read anew", async () => {
  const { twin, opened, round } = await devices();
  await round();
  await opened[0]?.write("hvac.mode", "OFF", signal);
  const before = twin.asked.length;
  expect(await read(opened[0]!)).toMatchObject({ "hvac.mode": "OFF" });
  expect(twin.asked.length - before).toBe(1);
});

test("what another device fetched is as old as it is", async () => {
  const { clock, opened } = await devices();
  const startMs = clock.monotonicMs();
  await clock.advance(PERIOD_MS);
  await opened[0]?.read(signal);
  await clock.advance(60_000);
  const readings = (await opened[1]?.read(signal)) ?? [];
  expect(readings.find(({ point }) => point === "hvac.mode")?.readTickMs).toBe(startMs + PERIOD_MS);
});
