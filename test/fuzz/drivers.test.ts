/** Whole drivers on lines that mean no good: what they tell was sent, and a minute after the line is well they are, too. */
import { DeviceError, type Driver } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import { expect } from "vitest";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import type { SerialSettings } from "../../src/platform/ports/ports.ts";
import { bed, calm, HOST, P1_LINE, PORT, SML_LINE } from "../adapters/smart-meter/meter-bed.ts";
import { countedExpect } from "../counted-expect.ts";
import { IecTwin } from "../twins/smart-meters/iec-twin.ts";
import { type Measured, netW, SOME_MEASURED } from "../twins/smart-meters/measured.ts";
import { encryptedP1, p1Telegram } from "../twins/smart-meters/p1-twin.ts";
import { smlFile } from "../twins/smart-meters/sml-twin.ts";
import { SpeedwireTwin } from "../twins/smart-meters/speedwire-twin.ts";
import { TalkingMeter } from "../twins/smart-meters/talking-meter.ts";
import { campaign, type Step } from "./campaign.ts";
import { flipped, hex, joined } from "./hostile-line.ts";
import { Spoiler } from "./hostile-meter.ts";

const KEY = "00112233445566778899aabbccddeeff";
const EVERY_MS = 2_000;
/** Mark of the end, checksum and line end of a P1 telegram: they may be written in more than one way. */
const TAIL_BYTES = 8;
const HOSTILE_SECONDS = 25;
/** Whatever a bad minute taught is forgotten after this, ms. */
const WELL_MS = 60_000;
/** The oldest telegram that may still be told, ms: three of the longest intervals that a line is believed. */
const OLDEST_MS = 125_000;

const expectPhase = countedExpect("the power of a phase");
const expectRefusal = countedExpect("a line that is hostile at once");
const expectSent = countedExpect("a power of the meter");
const LINES = { share: 0.04, counted: [expectPhase, expectRefusal, expectSent] };

/** What was measured, by its power: each is another. */
class Truth {
  readonly #sent = new Map<number, { readonly measured: Measured; readonly atMs: number }>();
  readonly #step: Step;
  last: Measured = SOME_MEASURED;

  constructor(step: Step) {
    this.#step = step;
  }

  next(atMs: number): Measured {
    const watt = (): number => this.#step.random.below(8_000) - 4_000;
    do this.last = { ...SOME_MEASURED, powerW: [watt(), watt(), watt()] };
    while (this.#sent.has(netW(this.last)));
    this.#sent.set(netW(this.last), { measured: this.last, atMs });
    return this.last;
  }

  check(readings: Readonly<Record<string, unknown>>, nowMs: number): void {
    const power = readings["meter.power"];
    const source = this.#sent.get(Number(power));
    expectSent(source, `${power} W, which nobody sent`).toBeDefined();
    expect(nowMs - (source?.atMs ?? 0), "ms since it was measured").toBeLessThanOrEqual(OLDEST_MS);
    for (const [at, phase] of (["l1", "l2", "l3"] as const).entries()) {
      const told = readings[`meter.power.${phase}`];
      if (told !== undefined && told !== null) expectPhase(told, phase).toBe(source?.measured.powerW[at]);
    }
  }
}

async function readNow(driver: Driver): Promise<Readonly<Record<string, unknown>> | DeviceError> {
  try {
    const readings = await driver.read("all", calm);
    return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
  } catch (error) {
    if (error instanceof DeviceError) return error;
    throw error;
  }
}

interface Line {
  readonly made: ReturnType<typeof bed>;
  readonly spoiler: Spoiler;
  readonly truth: Truth;
  /** Points that a sound telegram has. */
  readonly shows: Readonly<Record<string, unknown>>;
}

/** Hostile and well by turns; what is read is what was sent, and in the end nothing is left open. */
async function live({ made, spoiler, truth, shows }: Line, { random }: Step): Promise<void> {
  const { world, adapter, process } = made;
  spoiler.isOn = random.isChance(0.5);
  const early = await made.connect().catch((error: unknown) => error);
  if (early instanceof Error) expectRefusal(early).toBeInstanceOf(DeviceError);
  else await (early as Driver)[Symbol.asyncDispose]();
  spoiler.isOn = false;
  await world.clock.advance(WELL_MS);
  const driver = await made.connect();
  for (const isHostile of [true, false]) {
    spoiler.isOn = isHostile;
    for (let second = 0; second < (isHostile ? HOSTILE_SECONDS : WELL_MS / 1_000); second += 1) {
      await world.clock.advance(1_000);
      const readings = await readNow(driver);
      if (!(readings instanceof Error)) truth.check(readings, world.clock.monotonicMs());
    }
    if (!isHostile) expect(await readNow(driver), "once the line is well again").toMatchObject(shows);
  }
  await driver[Symbol.asyncDispose]();
  await adapter[Symbol.asyncDispose]();
  await world.clock.advance(10);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
}

interface Speaker {
  readonly given: Parameters<typeof bed>[0];
  readonly line: Omit<SerialSettings, "path">;
  /** At the end of a telegram, checked by nothing. */
  readonly keptBytes: number;
  make(measured: Measured, counter: number): Uint8Array;
}

const SPEAKERS: readonly [Speaker, ...Speaker[]] = [
  {
    given: { protocol: "p1" },
    line: P1_LINE,
    keptBytes: TAIL_BYTES,
    make: (measured) => Buffer.from(p1Telegram("dsmr5", measured), "latin1"),
  },
  {
    given: { protocol: "p1", key: KEY },
    line: P1_LINE,
    keptBytes: 0,
    make: (measured, counter) =>
      encryptedP1(p1Telegram("luxembourg", measured), { key: KEY, counter, authentication: KEY }),
  },
  { given: { protocol: "sml" }, line: SML_LINE, keptBytes: 0, make: (measured) => smlFile(measured, {}) },
];

campaign("a hostile line under the driver of a meter that speaks", LINES, async (step) => {
  const { given, line, keptBytes, make } = step.random.pick(SPEAKERS);
  const isSerial = step.random.isChance(0.2);
  const made = bed(isSerial ? given : { ...given, ...HOST });
  const { clock } = made.world;
  const truth = new Truth(step);
  const spoiler = new Spoiler(step.random.fork("line"), keptBytes);
  let counter = 0;
  const meter = new TalkingMeter({
    clock,
    random: step.random.fork("meter"),
    everyMs: EVERY_MS,
    ...(isSerial && { settings: line }),
    telegram: () => {
      counter += 1;
      return make(truth.next(clock.monotonicMs()), counter);
    },
  });
  step.sent(`${given.protocol} ${isSerial ? "serial" : "TCP"}`);
  const spoilt = spoiler.line(meter.line);
  if (isSerial) made.world.serial.plug(PORT, spoilt);
  else await made.world.net.host().listen(HOST, (stream) => spoilt(stream));
  await live({ made, spoiler, truth, shows: { "meter.power": expect.any(Number) } }, step);
});

campaign("a hostile line under the driver of a meter that is asked", LINES, async (step) => {
  const isSerial = step.random.isChance(0.5);
  const given = { protocol: "iec62056-21", intervalSeconds: 5 } as const;
  const made = bed(isSerial ? given : { ...given, ...HOST });
  const { clock } = made.world;
  const truth = new Truth(step);
  const spoiler = new Spoiler(step.random.fork("line"), 0);
  const lines = (): readonly string[] => {
    const measured = truth.next(clock.monotonicMs());
    const [l1, l2, l3] = measured.powerW;
    return [`16.7.0(${netW(measured)}*W)`, `36.7.0(${l1}*W)`, `56.7.0(${l2}*W)`, `76.7.0(${l3}*W)`];
  };
  const twin = new IecTwin({ clock, identification: step.random.pick(["LGZ5METER", "ABC@METER", "ABCEMETER"]), lines });
  const spoilt = spoiler.line(twin.line);
  if (isSerial) made.world.serial.plug(PORT, spoilt);
  else await made.world.net.host().listen(HOST, (stream) => spoilt(stream));
  await live({ made, spoiler, truth, shows: { "meter.power": expect.any(Number) } }, step);
});

const METER = "192.168.1.61";
const STRANGER = "192.168.1.66";
const GROUP = { host: "239.12.255.254", port: 9_522 };

campaign(
  "hostile datagrams under the driver of an energy meter",
  { share: 0.03, counted: [expectSent] },
  async (step) => {
    const { random } = step;
    const world = new World({ seed: 5 });
    const process = world.boot("gateway", new MemoryDisk());
    const adapter = speedwireAdapter.start(process.adapterContext());
    const events = { datagram: () => undefined, closed: () => undefined };
    const sockets = [await world.udp.host(METER).open({}, events), await world.udp.host(STRANGER).open({}, events)];
    const [own, strange] = sockets;
    const told = new Set<number>();
    const twin = new SpeedwireTwin({
      clock: world.clock,
      serial: 7,
      susyId: 349,
      everyMs: 1_000,
      measured: () => {
        const watt = (): number => random.below(8_000) - 4_000;
        const measured: Measured = { ...SOME_MEASURED, powerW: [watt(), watt(), watt()] };
        told.add(netW(measured));
        return measured;
      },
    });
    using _honest = own === undefined ? null : twin.start(own);
    const options = speedwireAdapter.options.parse({ serial: 7, host: METER });
    await using driver = await world.clock.resolve(adapter.connect("meter", options, calm), WELL_MS);
    for (let turn = 0; turn < 25; turn += 1) {
      for (let number = random.below(8); number > 0; number -= 1) {
        const whole = twin.datagram();
        const lie = random.pick([
          flipped(whole, 1 + random.below(30), random),
          whole.slice(0, random.below(whole.length)),
          joined(whole, random.secretBytes(random.below(1_400))),
          random.secretBytes(random.below(1_400)),
          whole,
        ]);
        step.sent(hex(lie));
        strange?.send(lie, GROUP);
      }
      // From the meter's own address only what a damaged datagram cannot be taken for.
      if (random.isChance(0.3)) own?.send(twin.datagram().subarray(0, 20 + random.below(200)), GROUP);
      await world.clock.advance(random.below(1_500));
      const readings = await readNow(driver);
      if (readings instanceof Error) continue;
      expectSent(told, "a power that the meter did not send").toContain(readings["meter.power"]);
    }
    await world.clock.advance(2_000);
    expect(await readNow(driver)).toMatchObject({ "meter.power": expect.any(Number), "meter.voltage.l1": 231.4 });
    await adapter[Symbol.asyncDispose]();
    for (const socket of sockets) socket[Symbol.dispose]();
  },
);
