import {
  type AdapterContext,
  DeviceError,
  type DeviceProfile,
  type Driver,
  defineAdapter,
  type ProfileLimits,
  type RunningAdapter,
  registerWords,
} from "hemgate/sdk";
import type { z } from "zod";
import { BusRegistry } from "./bus-registry.ts";
import { checkUnit, connectOptions, type Place, placeOf, SUNSPEC, unitOf } from "./connect-options.ts";
import type { DeviceMap } from "./device-map.ts";
import { ModbusDiscovery } from "./discovery/modbus-discovery.ts";
import type { ProbeRead } from "./find-framing.ts";
import { KnownFramings } from "./known-framings.ts";
import { KNOWN_PROFILES } from "./known-profiles.ts";
import type { BusUnit } from "./modbus-bus.ts";
import { ModbusDriver } from "./modbus-driver.ts";
import { MODBUS_VENDORS, ModbusLinking } from "./modbus-linking.ts";
import { connectProfile } from "./profile-map.ts";
import { connectSunSpec } from "./sunspec/connect-sunspec.ts";
import type { LaneManners } from "./unit-lane.ts";

/** Where SunSpec devices usually begin; an exception is an answer as well. */
const SUNSPEC_READ = { table: "holding", address: 40_000, count: 2 } as const;

const OPTIONS = connectOptions([...KNOWN_PROFILES.map(({ id }) => id), SUNSPEC]);
type ModbusOptions = z.infer<typeof OPTIONS>;

/** Devices that speak Modbus: TCP, RTU and ASCII on a serial line, RTU behind a gateway or in datagrams. */
export const modbusAdapter = defineAdapter({
  name: "modbus",
  options: OPTIONS,
  check(options) {
    try {
      targetOf(options);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  },
  linking: MODBUS_VENDORS,
  start: (context) => new ModbusAdapter(context),
});

interface Target {
  /** Null: a device that describes itself. */
  readonly profile: DeviceProfile | null;
  readonly place: Place;
  readonly unit: number;
}

/** Throws a `DeviceError` that says which options contradict each other. */
function targetOf(options: ModbusOptions): Target {
  const profile = KNOWN_PROFILES.find(({ id }) => id === options.profile) ?? null;
  const place = placeOf(options, profile);
  const unit = options.unit ?? unitOf(place, profile);
  checkUnit(unit, place);
  return { profile, place, unit };
}

class ModbusAdapter implements RunningAdapter<ModbusOptions> {
  readonly #context: AdapterContext;
  readonly #buses: BusRegistry;
  readonly #framings: KnownFramings;
  readonly linking = new ModbusLinking((options, signal) => this.connect("linking", OPTIONS.parse(options), signal));

  readonly discovery: ModbusDiscovery;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.discovery = new ModbusDiscovery(context);
    this.#buses = new BusRegistry(context);
    this.#framings = new KnownFramings(context, (host, port) => this.#buses.kindAt(host, port));
  }

  async connect(_deviceId: string, options: ModbusOptions, signal: AbortSignal): Promise<Driver> {
    const target = targetOf(options);
    try {
      return await this.#connect(target, options, signal);
    } catch (error) {
      if (error instanceof DeviceError && error.kind === "unreachable") this.#framings.forget(target.place);
      throw error;
    }
  }

  async #connect({ profile, place, unit: id }: Target, options: ModbusOptions, signal: AbortSignal): Promise<Driver> {
    const line = await this.#framings.lineAt(place, probeRead(profile, id), signal);
    using resources = new DisposableStack();
    const { bus } = resources.use(this.#buses.share(line));
    const known = { ...mannersOf(profile?.limits), inFlight: options.inFlight };
    const asking = bus.unit(id, known);
    resources.use(asking);
    const map = await readMap(profile, asking, { ...options, clock: this.#context.clock }, signal);
    // Only now is it known how a device that describes itself wants to be asked.
    const unit = resources.use(bus.unit(id, { ...known, minGapMs: map.limits.minGapMs }));
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

function mannersOf(limits: ProfileLimits | undefined): Omit<LaneManners, "inFlight"> {
  if (limits === undefined) return { minGapMs: 0 };
  const { minGapMs, timeoutMs, connectDelayMs, idleCloseMs, maxClients, isWokenByRequest } = limits;
  return { minGapMs, timeoutMs, connectDelayMs, idleCloseMs, maxClients, isWokenByRequest };
}

function probeRead(profile: DeviceProfile | null, unit: number): ProbeRead {
  const [first] = profile?.points ?? [];
  const connectDelayMs = profile?.limits.connectDelayMs ?? 0;
  if (first === undefined) return { ...SUNSPEC_READ, unit, connectDelayMs };
  return { unit, table: first.table, address: first.address, count: registerWords(first), connectDelayMs };
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
