import { type AdapterContext, type DeviceProfile, type Driver, defineAdapter, type RunningAdapter } from "hemgate/sdk";
import { z } from "zod";
import { BusRegistry } from "./bus-registry.ts";
import type { DeviceMap } from "./device-map.ts";
import { KNOWN_PROFILES } from "./known-profiles.ts";
import type { BusUnit } from "./modbus-bus.ts";
import { ModbusDriver } from "./modbus-driver.ts";
import { MODBUS_VENDORS, ModbusLinking } from "./modbus-linking.ts";
import { connectProfile } from "./profile-map.ts";
import { connectSunSpec } from "./sunspec/connect-sunspec.ts";

/** The profile of devices that describe themselves. */
const SUNSPEC = "sunspec";
const SUNSPEC_UNIT = 1;
const PROFILE_NAMES = [...KNOWN_PROFILES.map(({ id }) => id), SUNSPEC];
/** Requests under way at once that any device could want; more only fills its buffers. */
const MAX_IN_FLIGHT = 16;
/** Shorter would renew all the time, longer would leave a house in a forced state for long. */
const HOLD_SECONDS = { min: 10, max: 3_600, default: 300 };
const POLL_LIMITS_MS = { min: 100, max: 86_400_000 };

const pollMs = z.int().min(POLL_LIMITS_MS.min).max(POLL_LIMITS_MS.max).optional();

const OPTIONS = z.object({
  host: z.string().min(1).max(253).meta({ description: "Name or IP address of the device or its gateway." }),
  port: z.int().min(1).max(65_535).default(502).meta({ description: "TCP port." }),
  unit: z.int().min(0).max(255).optional().meta({ description: "Modbus unit id; default that of the profile." }),
  profile: z.enum(PROFILE_NAMES).meta({ description: "What the device is; sunspec for one that describes itself." }),
  inFlight: z
    .int()
    .min(1)
    .max(MAX_IN_FLIGHT)
    .default(1)
    .meta({ description: "Requests sent before the first is answered; most devices take one." }),
  holdSeconds: z
    .int()
    .min(HOLD_SECONDS.min)
    .max(HOLD_SECONDS.max)
    .default(HOLD_SECONDS.default)
    .meta({ description: "For sunspec: how long the device itself keeps a command when the gateway is gone, s." }),
  settings: z
    .record(z.string().max(40), z.number())
    .default({})
    .meta({ description: "Numbers that the profile asks for, such as maxChargeW; docs/devices.md names them." }),
  confirmUnverified: z.boolean().default(false).meta({
    description: "True turns on controls whose registers no two sources agree on; check them on the device first.",
  }),
  pollMs: z
    .strictObject({ fast: pollMs, normal: pollMs, slow: pollMs })
    .prefault({})
    .meta({ description: "How often points are read, ms: power and states, what drifts, what hardly changes." }),
});
type ModbusOptions = z.infer<typeof OPTIONS>;

/** Devices that speak Modbus TCP, or Modbus RTU behind a gateway. */
export const modbusAdapter = defineAdapter({
  name: "modbus",
  options: OPTIONS,
  linking: MODBUS_VENDORS,
  start: (context) => new ModbusAdapter(context),
});

class ModbusAdapter implements RunningAdapter<ModbusOptions> {
  readonly #context: AdapterContext;
  readonly #buses: BusRegistry;
  readonly linking = new ModbusLinking((options, signal) => this.connect("linking", OPTIONS.parse(options), signal));

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#buses = new BusRegistry(context);
  }

  async connect(_deviceId: string, options: ModbusOptions, signal: AbortSignal): Promise<Driver> {
    const { host, port, inFlight } = options;
    const profile = KNOWN_PROFILES.find(({ id }) => id === options.profile) ?? null;
    using resources = new DisposableStack();
    const { bus } = resources.use(this.#buses.share({ host, port }));
    const id = options.unit ?? profile?.transports[0].unit ?? SUNSPEC_UNIT;
    const asking = bus.unit(id, { minGapMs: profile?.limits.minGapMs ?? 0, inFlight });
    resources.use(asking);
    const map = await readMap(profile, asking, { ...options, clock: this.#context.clock }, signal);
    // Only now is it known how a device that describes itself wants to be asked.
    const unit = resources.use(bus.unit(id, { minGapMs: map.limits.minGapMs, inFlight }));
    asking[Symbol.dispose]();
    return new ModbusDriver({
      clock: this.#context.clock,
      unit,
      map,
      pollMs: options.pollMs,
      resources: resources.move(),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#buses[Symbol.dispose]();
  }
}

async function readMap(
  profile: DeviceProfile | null,
  unit: BusUnit,
  options: ModbusOptions & Pick<AdapterContext, "clock">,
  signal: AbortSignal,
): Promise<DeviceMap> {
  return profile === null
    ? await connectSunSpec(unit, options, signal)
    : await connectProfile(profile, unit, options, signal);
}
