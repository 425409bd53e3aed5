/** What a hostile hub may say, by chance: the stream ends, or what a charger reads stays sound. */
import { describe, expect, test } from "vitest";
import { easee } from "../../../../adapters/clouds/easee/easee.ts";
import { type ChargerNews, push } from "../../../../adapters/clouds/easee/push.ts";
import { soundReadings } from "../../../../adapters/clouds/kit/device/sound.ts";
import { CloudError } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";
import { countedExpect } from "../../../counted-expect.ts";
import { EaseeTwin } from "../../../twins/clouds/easee-twin.ts";
import { easeeCharger } from "../easee-charger.ts";
import { fakeSession } from "../fake-session.ts";
import { checkReadings } from "./checks.ts";

const END = "\u001e";
const ID = "EH123456";
const { signal } = new AbortController();
const IDS = [31, 47, 48, 80, 109, 120, 121, 124, 183, 194, 250, -1, 1e21, "48", null];
const VALUES = [
  "1",
  "0",
  "-5",
  "1e308",
  "NaN",
  "Infinity",
  "true",
  "",
  "16",
  "3",
  7,
  true,
  null,
  {},
  [[]],
  "x".repeat(2_000),
];
const TIMES = ["2026-06-21T00:00:10Z", "2099-01-01T00:00:00Z", "1970-01-01", "-271821-04-20T00:00:00Z", "", 5, null];
const CLOSE = JSON.stringify({ type: 7, error: "no more" });
const WHOLE = [
  { type: 6 },
  {},
  null,
  { type: 3, invocationId: "1", error: "no" },
  { type: 1, target: "CommandResponse", arguments: [{ serialNumber: ID, id: 48, ticks: 1, wasAccepted: false }] },
] as const;

function makeRecord(random: SeededRandom): string {
  if (random.isChance(0.2)) return JSON.stringify(random.pick<unknown>([...WHOLE] as [unknown, ...unknown[]]));
  const pick = (values: readonly unknown[]): unknown => values[random.below(values.length)];
  const argument = { mid: ID, dataType: 3, id: pick(IDS), timestamp: pick(TIMES), value: pick(VALUES) };
  return JSON.stringify({ type: 1, target: "ProductUpdate", arguments: [argument] });
}

function spoilt(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + String.fromCharCode(random.below(0x3_000)) + text.slice(at + 1);
    case 2:
      return text.slice(0, at) + END + text.slice(at);
    case 3:
      return text + text.slice(at);
    default:
      return text;
  }
}

async function openCharger(clock: VirtualClock) {
  const twin = new EaseeTwin(clock);
  twin.chargers = [easeeCharger()];
  const grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  const session = fakeSession({ connector: easee, twin, grant, clock });
  return await easee.open(session, ID, signal);
}

const expectRefusal = countedExpect("a refused message");
const expectPast = countedExpect("a reading with its time");

describe.each(Array.from({ length: 40 }, (_unused, seed) => seed))("seed %i", (seed) => {
  test("does no harm", async () => {
    const random = new SeededRandom(`easee-hub/${seed}`);
    const clock = new VirtualClock();
    const device = await openCharger(clock);
    let heard = 0;
    const tell = (key: string, news: unknown): void => {
      heard += 1;
      // The stream tells a charger what its own connector made of it.
      if (key === ID) device.hear?.(news as ChargerNews);
    };
    let voice = push.speak({ send: () => undefined, ready: () => undefined, tell });
    voice.hear(`{}${END}`);
    for (let turn = 0; turn < 200; turn += 1) {
      const record = random.isChance(0.02) ? CLOSE : makeRecord(random);
      const said = spoilt(record + (random.isChance(0.9) ? END : ""), random);
      try {
        voice.hear(said);
      } catch (error) {
        expectRefusal(error).toBeInstanceOf(CloudError);
        voice = push.speak({ send: () => undefined, ready: () => undefined, tell });
        voice.hear(`{}${END}`);
      }
      const readings = soundReadings(device.streamed?.() ?? [], device.points);
      checkReadings(readings, device.points);
      for (const { measuredAtMs = 0 } of readings) expectPast(measuredAtMs).toBeLessThanOrEqual(clock.nowMs());
      await clock.advance(random.below(2_000));
    }
    expect(heard).toBeGreaterThan(10);
    checkReadings(soundReadings(await device.read(signal), device.points), device.points);
  });
});

test("the hubs of all seeds were refused at times, and had readings", () => {
  expectRefusal.wasCalled();
  expectPast.wasCalled();
});
