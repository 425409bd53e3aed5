import { z } from "zod";
import { SiteSettings } from "../domain/energy/site/site-settings.ts";
import { urlOf } from "../domain/fields.ts";
import { NEUTRAL_PREFIX } from "../domain/problem.ts";
import { SCOPES } from "../domain/users/scope.ts";
import { parseCron } from "../platform/cron.ts";
import type { Adapter } from "../sdk/driver.ts";
import type { ForecastSource } from "../sdk/forecast-source.ts";
import type { MarketSource } from "../sdk/market-source.ts";
import { optionProblem } from "../sdk/option-problem.ts";
import { backupConfig } from "./backup-config.ts";
import { CloudConfig } from "./cloud-config.ts";
import { CloudsConfig } from "./clouds-config.ts";
import { ForecastConfig } from "./forecast-config.ts";
import { checkForecast } from "./forecast-problems.ts";
import { GridLimitsConfig } from "./grid-limits-config.ts";
import { checkHttps, HttpsConfig } from "./https-config.ts";
import { InfluxConfig } from "./influx-config.ts";
import { checkModbusProxy, ModbusProxyConfig } from "./modbus-proxy-config.ts";
import { MqttConfig } from "./mqtt-config.ts";
import { NotificationsConfig } from "./notifications-config.ts";
import { checkMarket, Pricing } from "./pricing-config.ts";
import { RemoteConfig } from "./remote-sections.ts";
import { checkSite } from "./site-problems.ts";
import { updateConfig } from "./update-config.ts";

/** What every device's entry says, whatever its adapter. */
export const DeviceBasics = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .meta({ description: "Name of the device here: lower-case letters, digits and dashes. Keep it for good." }),
  adapter: z.string().meta({ description: "How the device is reached." }),
  name: z.string().min(1).max(255).optional().meta({ description: "Name shown to people." }),
  owner: z.string().min(1).max(255).optional().meta({ description: "User the device belongs to; default site.owner." }),
  installedOn: z.iso.date().optional().meta({
    description: "Day of the installation, YYYY-MM-DD; default the instant at which the gateway first met the device.",
  }),
  scopes: z
    .array(z.enum(Object.values(SCOPES).flat()))
    .optional()
    .meta({ description: "Permissions granted; default all of its kinds." }),
});

const MAX_DEVICES = 500;

const Site = z.strictObject({
  name: z.string().min(1).max(255).default("Home"),
  owner: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\p{C}]+$/u)
    .default("home")
    .meta({ description: "The user that devices belong to when they name none." }),
  timezone: z
    .string()
    .refine(isTimeZone, {
      error: "no such time zone; expected an IANA name such as Europe/Berlin",
      params: { candidates: Intl.supportedValuesOf("timeZone") },
    })
    .default("UTC")
    .meta({ description: "IANA time zone of the house." }),
  place: z
    .strictObject({
      latitude: z.number().min(-90).max(90).meta({ description: "Degrees north." }),
      longitude: z.number().min(-180).max(180).meta({ description: "Degrees east." }),
    })
    .optional()
    .meta({
      description: "Where the house is: batteries, inverters and meters that do not tell where they are are there.",
    }),
  connection: SiteSettings.optional().meta({
    description:
      "The connection to the grid: fuses, contract, feed-in, circuits, and what is connected to which phase.",
  }),
});

const PerMinute = z.int().min(1).max(1_000_000);

const RequestLimits = z.strictObject({
  connections: z.int().min(16).max(10_000).default(512).meta({ description: "Connections at once." }),
  connectionsPerAddress: z.int().min(4).max(10_000).default(128).meta({
    description: "Connections of one address over which no valid token has come; behind a proxy all have its address.",
  }),
  requestsPerMinute: PerMinute.default(600).meta({ description: "Requests of one client a minute, in the long run." }),
  requestBurst: PerMinute.default(100).meta({ description: "Requests of one client at once." }),
  commandsPerMinute: PerMinute.default(60).meta({ description: "Commands of one client a minute." }),
  commandsPerDevicePerMinute: PerMinute.default(6).meta({ description: "Commands to one device a minute." }),
});

export const Http = z.strictObject({
  host: z.string().default("0.0.0.0").meta({ description: "Address to listen on; 127.0.0.1 for this machine only." }),
  port: z.int().min(0).max(65_535).default(8080).meta({ description: "TCP port; 0 takes any free one." }),
  names: z
    .array(z.string().regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/))
    .max(50)
    .optional()
    .meta({
      description:
        "Further host names the gateway answers to, beside IP addresses, localhost, *.local, and its own name, alone or in a router's domain such as fritz.box, home.arpa or lan.",
    }),
  isAnnounced: z.boolean().default(true).meta({
    description: "Whether mDNS announces the API as _hemgate._tcp; a loopback address is never announced.",
  }),
  corsOrigins: z
    .array(z.string().refine(isOrigin, { error: "expected an exact origin such as https://app.example.com" }))
    .max(50)
    .default([])
    .meta({
      description: "Origins whose web pages may use the API, such as https://app.example.com; none by default.",
    }),
  limits: RequestLimits.prefault({}),
});

const Linking = z.strictObject({
  url: urlOf("http:", "https:")
    .optional()
    .meta({ description: "How browsers reach the gateway, such as https://home.example; default the Host asked for." }),
  maxConnections: z
    .int()
    .min(0)
    .max(500)
    .default(100)
    .meta({ description: "Most devices that users may have linked together; further link sessions are refused." }),
});

const Sandbox = z.strictObject({
  isEnabled: z.boolean().default(false).meta({
    description: "Whether clients may make devices up, under /local/simulated, and people link made-up accounts.",
  }),
});

/** How an adapter is called. */
export const ADAPTER_NAME = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);

const Discovery = z.strictObject({
  isListening: z.boolean().default(true).meta({
    description: "Whether the gateway listens for devices that announce themselves by mDNS, SSDP, MQTT or multicast.",
  }),
  followsAddresses: z.boolean().default(true).meta({
    description:
      "Whether a device that was silent for 5 minutes is looked for at the other addresses of the house, by its serial number.",
  }),
});

const Storage = z.strictObject({
  housekeeping: z.string().superRefine(checkCron).default("17 3 * * *").meta({
    description:
      "When history that is too old is removed: a cron expression (minute, hour, day of month, month, day of week) in site.timezone.",
  }),
});

function checkCron(expression: string, context: z.RefinementCtx): void {
  try {
    parseCron(expression);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: "custom", message: error.message, input: expression });
  }
}

/** The parts of the configuration that no adapter changes. */
export const BASE_CONFIG = {
  site: Site.prefault({}),
  http: Http.prefault({}),
  https: HttpsConfig.optional().meta({
    description: "https beside http, with your certificate or one of an authority made here; off when absent.",
  }),
  linking: Linking.prefault({}),
  sandbox: Sandbox.prefault({}),
  discovery: Discovery.prefault({}),
  pricing: Pricing.prefault({}),
  mqtt: MqttConfig.optional().meta({
    description: "MQTT: the embedded broker, or one elsewhere; off when absent.",
  }),
  modbusProxy: ModbusProxyConfig.optional().meta({
    description:
      "A Modbus TCP server through which other programs reach devices that take few clients; off when absent.",
  }),
  clouds: CloudsConfig.prefault({}),
  cloud: CloudConfig.optional().meta({
    description: "The cloud service of this gateway, where a fleet's configuration says it instead of an enrolment.",
  }),
  remote: RemoteConfig.prefault({}).meta({ description: "What that cloud service may set of this file from afar." }),
  forecast: ForecastConfig.optional().meta({ description: "What the panels will give; nothing is asked when absent." }),
  gridLimits: GridLimitsConfig.prefault({}).meta({
    description: "Limits of the grid operator: relay contacts, fixed times, and what applies when a source is lost.",
  }),
  adapters: z.record(ADAPTER_NAME, z.string().min(1).max(200)).default({}).meta({
    description:
      "Adapters of third parties: their name, and the package, installed below adapters in the state folder, or a path there that begins with ./",
  }),
  compat: z
    .strictObject({
      namePrefix: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9]*$/)
        .default(NEUTRAL_PREFIX)
        .meta({
          description:
            "Prefix of the names of headers, events and problem types; change it for clients of another service. Types are then the addresses that such clients compare them with, and no pages of the gateway.",
        }),
    })
    .prefault({}),
  webhooks: z
    .strictObject({
      allowInsecureLan: z.boolean().default(false).meta({
        description: "Whether webhooks may be in the private address ranges of the house, and use plain http there.",
      }),
      maxWebhooks: z.int().min(0).max(200).default(20).meta({ description: "Webhooks of all clients together." }),
    })
    .prefault({}),
  storage: Storage.prefault({}),
  backup: backupConfig(checkCron).prefault({}).meta({ description: "Backups of everything, in encrypted files." }),
  update: updateConfig(checkCron).prefault({}).meta({ description: "Updates of the Debian package." }),
  notifications: NotificationsConfig.prefault({}).meta({ description: "What people are notified of, and how." }),
  influx: InfluxConfig.optional().meta({
    description: "An InfluxDB, or what takes its line protocol, that all readings are sent to; none when absent.",
  }),
  log: z.strictObject({ level: z.enum(["error", "warn", "info", "debug"]).default("info") }).prefault({}),
} as const;

/**
 * The whole configuration for a set of adapters: a device's entry takes the options of the adapter it names. Market
 * prices and forecasts come from the given sources only.
 */
export function configSchema(
  adapters: readonly Adapter[],
  markets: readonly MarketSource[] = [],
  forecastSources: readonly ForecastSource[] = [],
) {
  const entries = adapters
    .filter(({ isSandbox }) => isSandbox !== true)
    .map((adapter) =>
      entryOf(adapter).superRefine((entry, context) => {
        const problem = optionProblem(adapter.check?.(entry));
        if (problem === null) return;
        const { path = [], message, validNames } = problem;
        context.addIssue({ code: "custom", path: [...path], message, params: { isOption: true, validNames } });
      }),
    );
  const [first, ...rest] = entries;
  const Device = first === undefined ? DeviceBasics : z.discriminatedUnion("adapter", [first, ...rest]);
  const config = z.strictObject({
    ...BASE_CONFIG,
    forecast: BASE_CONFIG.forecast.superRefine((settings, context) =>
      checkForecast(settings, forecastSources, context),
    ),
    pricing: BASE_CONFIG.pricing.superRefine((pricing, context) => checkMarket(pricing, markets, context)),
    devices: z
      .array(Device)
      .max(MAX_DEVICES)
      // Reported beside all other problems of the devices, so `entries` may hold anything.
      .superRefine(refuseRepeatedIds, { when: ({ value }) => Array.isArray(value) })
      .default([])
      .meta({ description: "The devices of the house, each reached by an adapter." }),
  });
  return config.superRefine((parts, context) => {
    checkSite(parts, context);
    checkHttps(parts, context);
    checkModbusProxy(parts, adapters, context);
    const { mqtt, devices } = parts;
    if (mqtt !== undefined) return;
    for (const [index, device] of devices.entries()) {
      const adapter = adapters.find(({ name }) => name === device.adapter);
      if (adapter?.needsBroker?.(device) !== true) continue;
      const message = "no MQTT broker: add the section mqtt, or broker to this device";
      context.addIssue({ code: "custom", path: ["devices", index], message, params: { isOption: true } });
    }
  });
}

/** An adapter that could not be loaded takes what is there. */
function entryOf({ name, options }: Adapter) {
  const shape = { ...DeviceBasics.shape, adapter: z.literal(name), ...options.shape };
  return options.def.catchall === undefined ? z.strictObject(shape) : z.looseObject(shape);
}

function refuseRepeatedIds(entries: readonly unknown[], context: z.RefinementCtx): void {
  const first = new Map<unknown, number>();
  for (const [index, entry] of entries.entries()) {
    const id: unknown = typeof entry === "object" && entry !== null ? Reflect.get(entry, "id") : undefined;
    if (id === undefined) continue;
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, index);
      continue;
    }
    const message = `devices[${before}] has this id already; each device needs its own`;
    context.addIssue({ code: "custom", path: [index, "id"], message, input: id });
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Scheme, host and port as a browser sends them; no wildcard, no path. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export type DeviceConfig = z.infer<typeof DeviceBasics> & Readonly<Record<string, unknown>>;
export type Config = Omit<z.infer<ReturnType<typeof configSchema>>, "devices"> & {
  readonly devices: readonly DeviceConfig[];
};
