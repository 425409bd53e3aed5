/** MQTT packets from a hostile client to the gateway's own broker, and hostile payloads to every bridge. */
import { DeviceError } from "hemgate/sdk";
import type { SeededRandom } from "hemgate/testing";
import { generate, type Packet } from "mqtt-packet";
import { afterAll, beforeAll, expect } from "vitest";
import type { Bridge, BridgeOptions } from "../../firmware-bridges/kit/bridge.ts";
import { BRIDGES } from "../../firmware-bridges/kit/bridges.ts";
import { type Bed, next, openBed } from "../broker/embedded/broker-bed.ts";
import { countedExpect } from "../counted-expect.ts";
import { bridgeOptions, readInto } from "../firmware-bridges/intake.ts";
import { campaign } from "./campaign.ts";
import { flipped, hex, joined } from "./hostile-line.ts";
import { spoiledText } from "./mutate.ts";

/** How long an honest client may wait for its own message while others misbehave, ms of real time. */
const ROUND_TRIP_MS = 5_000;

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const TOPICS = [
  "a/b",
  "tele/x",
  "#",
  "+/x",
  "$SYS/broker",
  "a/\0",
  "",
  "/".repeat(200),
  "hemgate/x/set",
  "é".repeat(100),
] as const;

function anyPacket(random: SeededRandom): Uint8Array {
  const topic = random.pick([...TOPICS]);
  const messageId = 1 + random.below(65_535);
  const qos = random.pick([0, 1, 2] as const);
  const payload = Buffer.from(random.secretBytes(random.below(2_000)));
  const packets: readonly [Packet, ...Packet[]] = [
    { cmd: "publish", topic, payload, qos, retain: random.isChance(0.3), dup: random.isChance(0.2), messageId },
    {
      cmd: "subscribe",
      messageId,
      subscriptions: [
        { topic, qos },
        { topic: random.pick([...TOPICS]), qos: 0 },
      ],
    },
    { cmd: "unsubscribe", messageId, unsubscriptions: [topic] },
    { cmd: "puback", messageId },
    { cmd: "pubrel", messageId },
    { cmd: "pubrec", messageId },
    { cmd: "pubcomp", messageId },
    { cmd: "pingreq" },
    { cmd: "connack", returnCode: 0, sessionPresent: false },
    {
      cmd: "connect",
      clientId: random.pick(["", "raw", "x".repeat(5_000)]),
      protocolId: "MQTT",
      protocolVersion: 4,
      clean: true,
      keepalive: 1,
    },
    { cmd: "disconnect" },
  ];
  try {
    return generate(random.pick(packets));
  } catch {
    // The library does not write what no client may send; the bytes of another packet serve.
    return random.secretBytes(random.below(200));
  }
}

function spoiledPacket(random: SeededRandom): Uint8Array {
  const whole = anyPacket(random);
  switch (random.below(5)) {
    case 0:
      return whole.length === 0 ? whole : flipped(whole, 1 + random.below(3), random);
    case 1:
      return whole.slice(0, random.below(whole.length + 1));
    case 2:
      return joined(
        Uint8Array.of(16 * random.below(16) + random.below(16), 0xff, 0xff, 0xff, random.below(256)),
        whole,
      );
    case 3:
      return random.secretBytes(random.below(500));
    default:
      return whole;
  }
}

campaign("MQTT packets of a hostile client", { share: 0.1 }, async ({ random, sent }) => {
  const client = await bed.raw();
  // The broker may hang up in the middle of a packet.
  const closed = client.closed.catch(() => undefined);
  const isSignedIn = random.isChance(0.7);
  if (isSignedIn) await client.connect(random.pick(["hub", "plug", "app"]), { clientId: `raw-${random.below(20)}` });
  for (let number = random.below(20); number >= 0 && !client.socket.destroyed; number -= 1) {
    const packet = spoiledPacket(random);
    sent(hex(packet));
    client.socket.write(packet);
    if (random.isChance(0.2)) await new Promise((resolve) => setImmediate(resolve));
  }
  if (random.isChance(0.5)) client.socket.end();
  await bed.clock.advance(random.between(0, 5_000));
  const honest = await bed.client("hub", { clientId: "honest" });
  const word = String(random.next());
  const heard = next(honest, "message");
  await honest.subscribeAsync("will/honest");
  await honest.publishAsync("will/honest", word, { qos: 1 });
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no round trip")), ROUND_TRIP_MS).unref());
  const [, payload] = (await Promise.race([heard, late])) as readonly [string, Buffer];
  expect(String(payload)).toBe(word);
  await honest.endAsync(true);
  client.socket.destroy();
  await closed;
});

/** Names of devices as each bridge takes them. */
const DEVICES: Readonly<Record<string, string>> = { opendtu: "114181234567", homie: "meter", "go-e": "00212345" };
const ROLES = ["meter", "inverter", "battery", "charger", "hvac"] as const;
const LEVELS = ["x", "0", "1", "state", "power", "$state", "dc", "Ac", "status", "__proto__"] as const;
const TEXTS = [
  "12.5",
  "-3",
  "online",
  "Offline",
  "true",
  "ON",
  "nan",
  "1e308",
  "-1e-320",
  "1e999",
  '{"ENERGY":{"Power":12,"Voltage":230},"StatusSNS":{"ENERGY":{"Power":[1,2,3]}}}',
  '{"value":12.5}',
  '{"result":{"em:0":{"a_act_power":1,"total_act_power":2}},"src":"x","id":1}',
  '{"params":{"switch:0":{"apower":12,"voltage":230,"aenergy":{"total":5}}},"method":"NotifyStatus"}',
  '{"$state":"ready","nodes":{"x":{"properties":{"power":{"datatype":"float","unit":"W"}}}}}',
  '{"device":{"ids":"x"},"stat_t":"x","dev_cla":"power","unit_of_meas":"W","cmps":{"a":{"p":"sensor"}}}',
  "[1,2,3]",
  "{}",
  "null",
] as const;

/** Null: the bridge's devices cannot be that. */
function openAs(bridge: Bridge, role: BridgeOptions["role"], options: { topic: string; channel: number }) {
  try {
    return bridge.open(bridgeOptions({ ...options, role }));
  } catch (error) {
    if (error instanceof DeviceError) return null;
    throw error;
  }
}

const expectFinite = countedExpect("a number that is read");
const expectPlain = countedExpect("another value that is read");
const PAYLOADS = { share: 0.08, counted: [expectFinite, expectPlain] };

campaign("hostile payloads to the bridges", PAYLOADS, ({ random, sent }) => {
  const bridge = BRIDGES[random.below(BRIDGES.length)];
  if (bridge === undefined) return;
  const options = { topic: DEVICES[bridge.name] ?? "device", channel: random.below(3) };
  const device = openAs(bridge, random.pick([...ROLES]), options) ?? openAs(bridge, null, options);
  if (device === null) return;
  const messages = Array.from({ length: 30 }, () => {
    const filter = device.filters[random.below(device.filters.length)] ?? "x";
    const topic = filter.replaceAll(/[+#]/g, () => random.pick([...LEVELS]));
    const plain = random.pick([...TEXTS]);
    const text = random.isChance(0.5) ? plain : spoiledText(plain, random);
    sent(`${bridge.name} ${topic} ${text}`);
    return { topic, text, isRetained: random.isChance(0.3) };
  });
  for (const [point, value] of Object.entries(readInto(device, messages))) {
    if (typeof value === "number") expectFinite(value, point).toSatisfy(Number.isFinite);
    else expectPlain(value === null || ["boolean", "string"].includes(typeof value), point).toBe(true);
  }
  expect(Array.isArray(device.controls())).toBe(true);
  device.missing();
  bridge.announcements?.sightings(messages);
});
