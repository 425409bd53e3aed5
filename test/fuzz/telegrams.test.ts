/** What smart meters push: P1 with and without encryption, SML, and SMA's datagrams. */
import { meterPoints } from "../../adapters/smart-meter/meter-points.ts";
import { SmlReader } from "../../adapters/smart-meter/sml/sml-reader.ts";
import type { TelegramReader } from "../../adapters/smart-meter/telegram.ts";
import { EncryptedReader } from "../../adapters/smart-meter/text/encrypted-reader.ts";
import { TextReader } from "../../adapters/smart-meter/text/text-reader.ts";
import { DatagramError, readDatagram } from "../../adapters/speedwire/datagram.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { countedExpect } from "../counted-expect.ts";
import { type Measured, netW, SOME_MEASURED } from "../twins/smart-meters/measured.ts";
import { encryptedP1, p1Telegram } from "../twins/smart-meters/p1-twin.ts";
import { smlContent, smlFile, transported } from "../twins/smart-meters/sml-twin.ts";
import { campaign, type Step } from "./campaign.ts";
import { flipped, hex, joined } from "./hostile-line.ts";
import { pieces } from "./mutate.ts";

const KEY = "00112233445566778899aabbccddeeff";
const CHECKED = ["dsmr4", "dsmr5", "belgium", "luxembourg", "sweden"] as const;
const UNCHECKED = ["dsmr2", "dsmr3", "easymeter"] as const;
/** A checksum of 16 bits finds as many wrong bits as these for certain in a telegram of this length. */
const CERTAIN_FLIPS = 3;

/** Mark of the end, checksum, line end. */
const TAIL_BYTES = 8;

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const keys = { key: Buffer.from(KEY, "hex"), authenticationKey: Buffer.from(KEY, "hex") };

function anyMeasured(random: SeededRandom): Measured {
  const watt = (): number => random.below(4_000) - 2_000;
  return { ...SOME_MEASURED, powerW: [watt(), watt(), watt()] };
}

/** Damage that a checksum finds for certain, or that leaves no whole telegram. */
function damaged(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  // The checksum itself may be written in two ways, and what comes after it may be anything.
  const checked = bytes.slice(0, -TAIL_BYTES);
  if (random.isChance(0.3)) return checked.slice(0, random.below(checked.length));
  return joined(flipped(checked, 1 + random.below(CERTAIN_FLIPS), random), bytes.slice(-TAIL_BYTES));
}

const expectSource = countedExpect("a telegram that is read");
const expectPhase = countedExpect("the power of a phase");
const OF_STREAMS = [expectSource, expectPhase];

/** A stream of whole and damaged telegrams with noise between them, in pieces; only the whole ones may be heard. */
function checkStream(step: Step, reader: TelegramReader, make: (measured: Measured) => Uint8Array): void {
  const { random } = step;
  const meant = new Map<number, Measured>();
  for (let number = 0; number < 6; number += 1) {
    const measured = anyMeasured(random);
    const whole = make(measured);
    const sent = random.isChance(0.5) ? whole : damaged(whole, random);
    // A bit that was flipped twice is as it was.
    if (hex(sent) === hex(whole)) meant.set(netW(measured), measured);
    const noise = random.isChance(0.2) ? random.secretBytes(random.below(30)) : new Uint8Array(0);
    const stream = joined(sent, latin1("\r\n"), noise);
    step.sent(hex(stream));
    for (const piece of pieces(stream, random)) {
      for (const heard of reader.push(piece)) {
        if (heard.kind === "dropped") continue;
        const points = meterPoints(heard.telegram.registers);
        const power = points.get("meter.power") ?? Number.NaN;
        const source = meant.get(power);
        expectSource(source, `a telegram of ${power} W that nobody sent`).toBeDefined();
        const [l1, l2, l3] = source?.powerW ?? [];
        for (const [point, value] of [
          ["meter.power.l1", l1],
          ["meter.power.l2", l2],
          ["meter.power.l3", l3],
        ] as const) {
          if (points.has(point)) expectPhase(points.get(point), point).toBe(value);
        }
      }
    }
    if (random.isChance(0.2)) reader.reset();
  }
}

campaign("P1 with a checksum", { share: 0.03, counted: OF_STREAMS }, (step) => {
  const variant = step.random.pick([...CHECKED]);
  checkStream(step, new TextReader(), (measured) => latin1(p1Telegram(variant, measured)));
});

campaign("P1, encrypted", { share: 0.03, counted: OF_STREAMS }, (step) => {
  let counter = 0;
  checkStream(step, new EncryptedReader(keys), (measured) => {
    counter += 1;
    return encryptedP1(p1Telegram("luxembourg", measured), { key: KEY, counter, authentication: KEY });
  });
});

campaign("SML", { share: 0.03, counted: OF_STREAMS }, (step) => {
  const options = { checksum: step.random.pick(["x25", "kermit"] as const) };
  checkStream(step, new SmlReader(), (measured) => smlFile(measured, options));
});

const expectReason = countedExpect("a telegram that is dropped");
const expectFinite = countedExpect("a number that is read");
const OF_NONSENSE = [expectReason, expectFinite];

/** Whatever comes: a telegram with numbers in it, or a word on why not; never more kept than a telegram. */
function checkAnything(step: Step, reader: TelegramReader, bytes: Uint8Array): void {
  step.sent(hex(bytes));
  for (const piece of pieces(bytes, step.random)) {
    for (const heard of reader.push(piece)) {
      if (heard.kind === "dropped") expectReason(heard.why).not.toBe("");
      else
        for (const value of meterPoints(heard.telegram.registers).values())
          expectFinite(value).toSatisfy(Number.isFinite);
    }
  }
}

campaign("text telegrams without a checksum, and nonsense", { share: 0.02, counted: OF_NONSENSE }, (step) => {
  const { random } = step;
  // Without a checksum, the second of the same form is the first that counts.
  const whole = latin1(p1Telegram(random.pick([...UNCHECKED]), anyMeasured(random)));
  const one = (): Uint8Array => (random.isChance(0.5) ? flipped(whole, 1 + random.below(20), random) : whole);
  const brackets = latin1(`/X\r\n${"1-0:1.8.0".repeat(random.below(50))}${"(".repeat(random.below(3_000))}\r\n!\r\n`);
  const digits = latin1(`/X\r\n1-0:1.8.0(${"9".repeat(random.below(2_000))}*kWh)\r\n!\r\n`);
  checkAnything(
    step,
    new TextReader(),
    joined(one(), one(), brackets, one(), digits, random.secretBytes(2_000), one(), one()),
  );
});

campaign("SML that is framed right and means nothing", { share: 0.03, counted: OF_NONSENSE }, (step) => {
  const { random } = step;
  const deep = new Uint8Array(random.below(4_000)).fill(0x71);
  const bombs = Uint8Array.from({ length: random.below(2_000) }, () =>
    random.pick([0xff, 0x8f, 0xf1, 0x7f, 0x00, 0x01, 0x59]),
  );
  const inner = flipped(smlContent(anyMeasured(random)), random.isChance(0.5) ? 0 : 1 + random.below(12), random);
  const content = random.pick([deep, bombs, inner, random.secretBytes(random.below(3_000))]);
  checkAnything(step, new SmlReader(), transported(content));
});

/** A meter's datagram: import and export of each quantity, as SMA writes them. */
function datagram(random: SeededRandom): Uint8Array {
  const records = [1, 2, 21, 22, 31, 32, 41, 42, 51, 52, 61, 62, 71, 72, 14].filter(() => random.isChance(0.9));
  const body = records.flatMap((index) => [
    { bytes: [0, index, 4, 0], value: BigInt(random.below(0xffff_ffff)), width: 4 },
    ...(index <= 2 ? [{ bytes: [0, index, 8, 0], value: BigInt(random.below(0xffff_ffff)), width: 8 }] : []),
  ]);
  const content = Buffer.concat(
    body.map(({ bytes, value, width }) =>
      Buffer.from(Buffer.from(bytes).toString("hex") + value.toString(16).padStart(2 * width, "0"), "hex"),
    ),
  );
  const head = Buffer.from("534d4100000402a00000000100000010", "hex");
  const meter = Buffer.concat([Buffer.from("6069010a", "hex"), random.secretBytes(8), content]);
  head.writeUInt16BE(meter.length, 12);
  return joined(head, meter, new Uint8Array(4));
}

const expectPower = countedExpect("a power that is read");

campaign("Speedwire datagrams", { share: 0.02, counted: [expectFinite, expectPower] }, (step) => {
  const { random } = step;
  const whole = datagram(random);
  const sent = random.pick([
    whole,
    flipped(whole, 1 + random.below(30), random),
    whole.slice(0, random.below(whole.length)),
    joined(whole.slice(0, random.below(whole.length)), random.secretBytes(random.below(2_000))),
  ]);
  step.sent(hex(sent));
  let points: ReadonlyMap<string, number | null>;
  try {
    points = readDatagram(sent)?.points ?? new Map();
  } catch (error) {
    if (!(error instanceof DatagramError)) throw error;
    return;
  }
  const view = new DataView(sent.buffer, sent.byteOffset, sent.length);
  const words = new Set<number>();
  for (let at = 0; at + 4 <= sent.length; at += 1) words.add(view.getUint32(at));
  for (const [point, value] of points) {
    if (value === null) continue;
    expectFinite(value, point).toSatisfy(Number.isFinite);
    const perUnit = point.startsWith("meter.power") ? 10 : 1_000;
    // Counters are 64 bits; what is left of them is checked by the power.
    if (point.startsWith("meter.energy")) continue;
    const raw = Math.round(value * perUnit);
    const isThere = point.startsWith("meter.power")
      ? [...words].some((word) => words.has(word - raw))
      : words.has(Math.abs(raw));
    expectPower(isThere, `${point} ${value}`).toBe(true);
  }
});
