import {
  type AdapterContext,
  confirmedNoFailsafe,
  DeviceError,
  type Driver,
  defineAdapter,
  errorText,
  type MqttServer,
  POINT_UNITS,
  type PointName,
  type RunningAdapter,
  unknownSetting,
} from "hemgate/sdk";
import { z } from "zod";
import type { Bridge, BridgeDevice, BridgeOptions } from "./bridge.ts";
import { BRIDGES } from "./bridges.ts";
import { DeviceSession } from "./device-session.ts";
import { MqttDiscovery } from "./mqtt-discovery.ts";
import { MqttDriver } from "./mqtt-driver.ts";
import { type PendingSession, PendingSessions } from "./pending-sessions.ts";
import { ROLES } from "./role.ts";

/** The engine gives a connect 30 s. */
const FIRST_SIGN_MS = 25_000;
/** What is still to come after the first sign of life is waited for this long, ms. */
const SETTLE_MS = 3_000;
/** A device that does not answer the first question is asked again this often, ms. */
const ASK_AGAIN_MS = 5_000;

const BRIDGE_NAMES = BRIDGES.map(({ name }) => name);
const isPointName = (key: string): key is PointName => Object.hasOwn(POINT_UNITS, key);
/** A level of a topic, or several: no wildcard, no NUL, no `$SYS`. */
const TOPIC = /^[^+#\0$][^+#\0]*$/;
const topicText = z
  .string()
  .max(200)
  .regex(TOPIC)
  .refine((topic) => topic.isWellFormed(), "half a character");

const OPTIONS = z.object({
  bridge: z
    .enum(BRIDGE_NAMES)
    .meta({ description: "The firmware or gateway that speaks; docs/bridges.md lists them." }),
  topic: topicText.meta({
    description: "What the device is called on the broker; docs/bridges.md tells for each bridge which name that is.",
  }),
  prefix: topicText.optional().meta({
    description: "First levels of the topics, where the firmware's own setting differs from its default.",
  }),
  role: z.enum(ROLES).optional().meta({
    description: "What a plug or meter measures, where the firmware cannot tell; for example inverter.",
  }),
  invert: z
    .boolean()
    .default(false)
    .meta({ description: "True: power counts the other way round than the device says." }),
  channel: z.int().min(0).max(65_535).optional().meta({
    description: "Which of several relays, meters or inverters; the component's id or instance where it has one.",
  }),
  points: z
    .partialRecord(z.enum(Object.keys(POINT_UNITS).filter(isPointName)), z.string().min(1).max(200))
    .default({})
    .meta({ description: "What the device calls a point, with its unit after a blank, where it cannot be known." }),
  settings: z
    .record(z.string().max(40), z.number())
    .default({})
    .meta({ description: "Numbers that the bridge asks for; docs/bridges.md names them." }),
  confirmNoFailsafe: confirmedNoFailsafe("device"),
  intervalSeconds: z.number().min(0.1).max(86_400).optional().meta({
    description:
      "How often the device publishes, s, where that was changed on it; three times that without a value is too long.",
  }),
  broker: z
    .strictObject({
      url: z
        .string()
        .max(300)
        .regex(/^mqtts?:\/\/[^/@?#\s]+\/?$/, "expected mqtt://host, mqtt://host:1883 or mqtts://host:8883")
        .meta({ description: "mqtt://host:port or mqtts://host:port." }),
      username: z.string().max(200).optional(),
      password: z.string().max(500).optional(),
      caFile: z.string().max(500).optional().meta({ description: "PEM file of the authority, for mqtts." }),
    })
    .optional()
    .meta({ description: "Another broker than the gateway's." }),
});
type MqttOptions = z.infer<typeof OPTIONS>;

/** Devices and firmwares that publish over MQTT, each with its own bridge. */
export const mqttAdapter = defineAdapter({
  name: "mqtt",
  options: OPTIONS,
  check(options) {
    const { settings } = options;
    const bridge = bridgeOf(options);
    const unknown = unknownSetting(bridge.name, bridge.settings ?? [], settings);
    if (unknown !== null) return unknown;
    try {
      openBridge(options, "hemgate-check");
      return null;
    } catch (error) {
      return errorText(error);
    }
  },
  needsBroker: ({ broker }) => broker === undefined,
  start: (context) => new MqttAdapter(context),
});

class MqttAdapter implements RunningAdapter<MqttOptions> {
  readonly #context: AdapterContext;
  readonly #pendingSessions: PendingSessions;

  readonly discovery: MqttDiscovery;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#pendingSessions = new PendingSessions(context.clock);
    this.discovery = new MqttDiscovery(context);
  }

  async connect(deviceId: string, options: MqttOptions, signal: AbortSignal): Promise<Driver> {
    const terms = JSON.stringify(options);
    const pending =
      this.#pendingSessions.take(deviceId, terms) ?? this.#pendingSessions.begin(this.#open(deviceId, options));
    const { device, session, resources } = pending;
    try {
      await this.#meet(device, session, signal);
    } catch (error) {
      this.#pendingSessions.keep(deviceId, terms, pending);
      throw error;
    }
    this.#pendingSessions.release(pending);
    return new MqttDriver({
      clock: this.#context.clock,
      device,
      session,
      acceptsNoFailsafe: options.confirmNoFailsafe,
      resources,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pendingSessions[Symbol.dispose]();
  }

  #open(deviceId: string, options: MqttOptions): PendingSession {
    const { mqtt, clock, log } = this.#context;
    const device = openBridge(options, `hemgate-${this.#context.random.uuid()}`);
    using resources = new DisposableStack();
    const link = resources.use(mqtt.link(serverOf(options)));
    const session = resources.use(new DeviceSession({ clock, log: log.child({ deviceId }), link, device }));
    return { device, session, resources: resources.move() };
  }

  /** Waits for the first sign of life, then a little for what is still to come. */
  async #meet(device: BridgeDevice, session: DeviceSession, signal: AbortSignal): Promise<void> {
    const questions = [...(device.hello ?? []), ...(device.query?.messages() ?? [])];
    for (let waitedMs = 0; session.absence() !== null; waitedMs += ASK_AGAIN_MS) {
      if (waitedMs >= FIRST_SIGN_MS) throw new DeviceError("unreachable", session.absence() ?? "nothing came");
      const isThere = session.until(() => session.absence() === null, ASK_AGAIN_MS, signal);
      isThere.catch(() => undefined);
      await session.ask(questions, signal);
      await isThere;
    }
    await session.until(() => device.missing() === null, SETTLE_MS, signal);
    const missing = device.missing();
    if (session.points.points.length === 0 && (device.expected?.() ?? []).length === 0) {
      throw new DeviceError(
        "malformed",
        `the device is there, but tells nothing that it could be read by${missing === null ? "" : `: ${missing}`}`,
      );
    }
  }
}

/** Throws a `DeviceError("rejected")` that names what is wrong with the options. */
function openBridge(options: MqttOptions, replyTopic: string): BridgeDevice {
  const { topic, prefix, role, invert, channel, points, settings, intervalSeconds } = options;
  const named = Object.entries(points).filter((entry): entry is [PointName, string] => isPointName(entry[0]));
  const parsed: BridgeOptions = {
    topic: topic.replace(/(?<!\/)\/+$/, ""),
    prefix: prefix?.replace(/(?<!\/)\/+$/, "") ?? null,
    role: role ?? null,
    isInverted: invert,
    channel: channel ?? null,
    points: new Map(named),
    settings,
    intervalMs: intervalSeconds === undefined ? null : intervalSeconds * 1_000,
    replyTopic,
  };
  return bridgeOf(options).open(parsed);
}

function bridgeOf(options: MqttOptions): Bridge {
  const bridge = BRIDGES.find(({ name }) => name === options.bridge);
  if (bridge === undefined) throw new DeviceError("rejected", `there is no bridge ${options.bridge}`);
  return bridge;
}

function serverOf({ broker }: MqttOptions): MqttServer | null {
  return broker ?? null;
}
