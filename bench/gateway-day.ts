/** A whole gateway for a stretch of virtual time: what its polls, journal and history write to the disk it is given. */
import { openAedesBroker } from "../src/broker/embedded/open-broker.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway, type Gateway } from "../src/gateway.ts";
import { InProcessOptimizer } from "../src/platform/optimizer/in-process-optimizer.ts";
import type { BrokerAccess, BrokerSettings, Disk, Net, RetainedMemory } from "../src/platform/ports/ports.ts";
import type { TelemetrySample } from "../src/store/store.ts";
import { FakeDevice, fakeAdapter } from "../src/testing/fake-adapter.ts";
import { FaultPlan } from "../src/testing/fault-plan.ts";
import { SimHttpStreams } from "../src/testing/network/sim-http-streams.ts";
import { SimMdns } from "../src/testing/network/sim-mdns.ts";
import { SimMqtt } from "../src/testing/network/sim-mqtt.ts";
import { SimSerial } from "../src/testing/network/sim-serial.ts";
import { SimUdp } from "../src/testing/network/sim-udp.ts";
import { SimWeb } from "../src/testing/network/sim-web.ts";
import { SimWebSockets } from "../src/testing/network/sim-websockets.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";
import { SimCron } from "../src/testing/sim-cron.ts";
import { SimFiles } from "../src/testing/sim-files.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { VirtualClock } from "../src/testing/virtual-clock.ts";
import { chargerOptions, followSwitch } from "../test/engine/home.ts";
import { memoryZstd } from "../test/twins/cloud/memory-zstd.ts";
import { type CloudEnd, cloudEnd, enrol } from "./cloud-end.ts";

/** The fake devices need no network. */
const NO_NET: Net = {
  interfaces: () => [],
  hostName: () => "hemgate",
  resolve: async () => [],
  connect: () => Promise.reject(new Error("there is no network here")),
  listen: () => Promise.reject(new Error("there is no network here")),
};

interface GatewayDay {
  readonly disk: Disk;
  /** Resolves when the disk has written all it was given. */
  settled(): Promise<void>;
  /** What each device reads at an instant. */
  readonly walks: readonly ((atMs: number) => TelemetrySample)[];
  readonly tickMs: number;
  readonly ticks: number;
  /** Chargers beside the walks, each with a schedule of its own that switches it twice a day. */
  readonly schedules?: number;
  /** Webhooks that are told of everything, on a server that acknowledges everything. */
  readonly webhooks?: number;
  /** With the embedded broker: the gateway keeps its states there, and a bridge each point of each device. */
  readonly hasBroker?: boolean;
  /** Enrolled with a cloud service that takes everything, or is never reached. Absent: not enrolled. */
  readonly cloud?: "online" | "offline";
}

/** What a day came to. */
interface DayResult {
  readonly deliveries: number;
  /** Switches of chargers. */
  readonly switches: number;
  /** Messages that clients asked the broker to keep, and how many it keeps at the end. */
  readonly retained: { readonly told: number; readonly kept: number };
  readonly cloud: Omit<CloudEnd, "mqtt5">;
}

const RECEIVER = "receiver.example";
const MINUTES_A_DAY = 1_440;
/** No more time passes while the disk writes: on a busy machine commits would fall into other groups. */
const STEP_MS = 250;

export async function runGatewayDay(day: GatewayDay): Promise<DayResult> {
  const { disk, settled, walks, tickMs, ticks, schedules = 0, webhooks = 0, hasBroker = false } = day;
  const clock = new VirtualClock();
  const random = new SeededRandom(1);
  const cloud = cloudEnd(clock, day.cloud === "offline");
  if (day.cloud !== undefined) await whilePassing(clock, enrol({ disk, clock, random: random.fork("enrolment") }));
  const devices = walks.map((walk) => new FakeDevice({ clock, values: valuesOf(walk(0)), pollMs: tickMs }));
  const chargers = Array.from({ length: schedules }, () => {
    const charger = new FakeDevice({ ...chargerOptions({ pollMs: tickMs }), clock });
    followSwitch(charger);
    return charger;
  });
  const named = {
    ...Object.fromEntries(devices.map((device, index) => [`device-${index}`, device])),
    ...Object.fromEntries(chargers.map((device, index) => [`charger-${index}`, device])),
  };
  const web = new SimWeb(clock, random.fork("web"));
  let deliveries = 0;
  web.serve(RECEIVER, "9.9.9.9", () => {
    deliveries += 1;
    return {};
  });
  const adapters = [fakeAdapter(named)];
  const config = configSchema(adapters).parse({
    devices: Object.keys(named).map((id) => ({ id, adapter: "fake" })),
    ...(hasBroker && { mqtt: { host: "127.0.0.1", port: 0 } }),
  });
  const bridges = new Bridges();
  const platform = {
    clock,
    cron: new SimCron(clock),
    random,
    net: NO_NET,
    serial: new SimSerial(clock).host(),
    udp: new SimUdp(clock, random.fork("udp"), new FaultPlan(clock, random)).host("192.168.1.2"),
    mdns: new SimMdns(clock).host("192.168.1.2"),
    http: web.host(),
    httpStreams: new SimHttpStreams(web, clock),
    webSockets: new SimWebSockets(web).host(clock),
    mqtt: new SimMqtt().host({ clock, random: random.fork("mqtt"), log: new TestLog() }),
    mqtt5: cloud.mqtt5,
    disk,
    files: new SimFiles(),
    optimizer: new InProcessOptimizer(),
    log: new TestLog(),
    openBroker: async (settings: BrokerSettings, access: BrokerAccess, retained: RetainedMemory) => {
      bridges.memory = retained;
      return await openAedesBroker(settings, { clock, log: new TestLog(), access, retained });
    },
  };
  const gateway = await whilePassing(
    clock,
    createGateway({ platform, config, adapters, zstd: memoryZstd, listen: false }),
  );
  // All devices are read once before anything is asked of them.
  await clock.advance(tickMs);
  await settled();
  if (schedules + webhooks > 0) await whilePassing(clock, occupy(gateway, { schedules, webhooks }));
  for (let tick = 0; tick < ticks; tick++) {
    for (const [index, walk] of walks.entries()) {
      const sample = walk(clock.nowMs());
      Object.assign(devices[index]!.values, valuesOf(sample));
      bridges.tell(sample, tick);
    }
    for (let passedMs = 0; passedMs < tickMs; passedMs += STEP_MS) {
      await clock.advance(STEP_MS);
      await settled();
    }
  }
  await whilePassing(clock, gateway[Symbol.asyncDispose]());
  const switches = chargers.reduce((sum, charger) => sum + charger.written("charger.enabled").length, 0);
  return { deliveries, switches, retained: bridges, cloud };
}

/** When a device loses its Wi-Fi for a moment: two hours apart. */
const TICKS_A_LOSS = 1_440;

/** What firmwares and bridges keep at the broker: announcements once, a last will that flips, every value that changed. */
class Bridges {
  /** Null without the broker. */
  memory: RetainedMemory | null = null;
  told = 0;
  readonly #kept = new Map<string, string>();

  get kept(): number {
    return this.#kept.size;
  }

  tell({ deviceId, values }: TelemetrySample, tick: number): void {
    if (this.memory === null) return;
    if (tick % TICKS_A_LOSS === 0) this.#keep(`${deviceId}/status`, "offline");
    if (tick % TICKS_A_LOSS === 1) this.#keep(`${deviceId}/status`, "online");
    for (const { point, value } of values) {
      if (tick === 0) this.#keep(`homeassistant/sensor/${deviceId}/${point}/config`, announcement(deviceId, point));
      this.#keep(`${deviceId}/${point.replaceAll(".", "/")}`, String(value));
    }
  }

  #keep(topic: string, text: string): void {
    if (this.#kept.get(topic) === text) return;
    this.#kept.set(topic, text);
    this.told += 1;
    this.memory?.put({ topic, payload: Buffer.from(text), qos: 0 }, false);
  }
}

function announcement(deviceId: string, point: string): string {
  return JSON.stringify({
    name: point,
    unique_id: `${deviceId}_${point}`,
    state_topic: `${deviceId}/${point.replaceAll(".", "/")}`,
    availability_topic: `${deviceId}/status`,
    device_class: "power",
    state_class: "measurement",
    unit_of_measurement: "W",
    device: { identifiers: [deviceId], name: deviceId, manufacturer: "bench", model: "a meter with twelve values" },
  });
}

/** Makes the schedules, each with minutes of its own, and the webhooks, as a client does. */
async function occupy(
  { api, createClient }: Gateway,
  { schedules, webhooks }: { readonly schedules: number; readonly webhooks: number },
): Promise<void> {
  const { id, secret } = await createClient("bench");
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  const type = "application/x-www-form-urlencoded";
  const signedIn = await api.inject({
    method: "POST",
    url: "/oauth2/token",
    headers: { authorization: basic, "content-type": type },
    payload: "grant_type=client_credentials",
  });
  const headers = { authorization: `Bearer ${signedIn.json().access_token}` };
  const post = async (url: string, payload: object): Promise<void> => {
    const answer = await api.inject({ method: "POST", url, headers, payload });
    if (answer.statusCode !== 200) throw new Error(`POST ${url}: ${answer.statusCode} ${answer.body}`);
  };
  for (let at = 0; at < webhooks; at += 1) {
    await post("/webhooks", { url: `https://${RECEIVER}/${at}`, secret: "a secret for the bench" });
  }
  const chargers = (await api.inject({ url: "/chargers?pageSize=1000", headers })).json().data;
  for (const [at, charger] of chargers.slice(0, schedules).entries()) {
    const start = Math.round((at * MINUTES_A_DAY) / schedules);
    const hourMinute = { from: clockText(start), to: clockText(start + MINUTES_A_DAY / 2) };
    await post(`/users/${charger.userId}/schedules`, {
      targetId: charger.id,
      targetType: "charger",
      isEnabled: true,
      locationId: null,
      defaultShouldCharge: false,
      rules: [{ hourMinute, shouldCharge: true }],
    });
  }
}

/** Minutes of a day as HH:MM. */
function clockText(minute: number): string {
  const ofDay = minute % MINUTES_A_DAY;
  return `${String(Math.floor(ofDay / 60)).padStart(2, "0")}:${String(ofDay % 60).padStart(2, "0")}`;
}

/** Starting and closing may take seconds of virtual time; the real disk needs real ones. */
async function whilePassing<Made>(clock: VirtualClock, work: PromiseLike<Made>): Promise<Made> {
  let isDone = false;
  const watched = Promise.resolve(work).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await clock.advance(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return await watched;
}

function valuesOf({ values }: TelemetrySample): FakeDevice["values"] {
  return Object.fromEntries(values.map(({ point, value }) => [point, value]));
}
