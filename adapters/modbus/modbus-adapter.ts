import {
  type AdapterContext,
  type ControlPoint,
  choicesProblem,
  DeviceError,
  type DeviceProfile,
  type Driver,
  defineAdapter,
  errorText,
  type KnownParts,
  NotedParts,
  type ProfileLimits,
  type RunningAdapter,
  registerWords,
  withParts,
} from "hemgate/sdk";
import type { z } from "zod";
import { BusRegistry } from "./bus/bus-registry.ts";
import type { ProbeRead } from "./bus/find-framing.ts";
import { KnownFramings } from "./bus/known-framings.ts";
import type { BusUnit } from "./bus/modbus-bus.ts";
import type { UnitPacing } from "./bus/unit-queue.ts";
import { checkUnit, connectOptions, type Place, placeOf, SUNSPEC, unitOf } from "./connect-options.ts";
import { ModbusDiscovery } from "./discovery/modbus-discovery.ts";
import type { DeviceMap } from "./driver/device-map.ts";
import { ModbusDriver } from "./driver/modbus-driver.ts";
import { MODBUS_VENDORS, ModbusLinking, vendorsOf } from "./modbus-linking.ts";
import { KNOWN_PROFILES } from "./profile/known-profiles.ts";
import { connectProfile } from "./profile/profile-map.ts";
import { connectSunSpec } from "./sunspec/connect-sunspec.ts";

/** What a device that describes itself may let us write. */
const SUNSPEC_CONTROLS: readonly { readonly point: ControlPoint }[] = [
  { point: "battery.mode" },
  { point: "inverter.powerLimit" },
];

/** Where SunSpec devices usually begin; an exception is an answer as well. */
const SUNSPEC_READ = { table: "holding", address: 40_000, count: 2 } as const;

type ModbusOptions = z.infer<ReturnType<typeof connectOptions>>;

/** A profile that is named and cannot be had. Its devices stay unreachable, and say why. */
export interface BrokenProfile {
  readonly id: string;
  readonly problem: string;
}

/** What the owner says of a device, and which of its parts earlier connections found. */
type Choices = ModbusOptions & { readonly knownParts: KnownParts };

/** What is there beside the profiles that are built in. */
export interface OwnProfiles {
  readonly profiles: readonly DeviceProfile[];
  readonly broken: readonly BrokenProfile[];
}

/** Devices that speak Modbus: TCP, RTU and ASCII on a serial line, RTU behind a gateway or in datagrams. */
export function createModbusAdapter(own: OwnProfiles = { profiles: [], broken: [] }) {
  const profiles = [...KNOWN_PROFILES, ...own.profiles];
  const options = connectOptions([...profiles, ...own.broken, { id: SUNSPEC }].map(({ id }) => id));
  return defineAdapter({
    name: "modbus",
    options,
    check(chosen) {
      if (own.broken.some(({ id }) => id === chosen.profile)) return null;
      try {
        const { profile } = targetOf(chosen, profiles);
        return choicesProblem(profile ?? { id: SUNSPEC, controls: SUNSPEC_CONTROLS }, chosen);
      } catch (error) {
        return errorText(error);
      }
    },
    linking: [...MODBUS_VENDORS, ...vendorsOf(own.profiles)],
    start: (context) => new ModbusAdapter(context, options, { profiles, broken: own.broken }),
  });
}

/** The adapter with the profiles that are built in. */
export const modbusAdapter = createModbusAdapter();

interface Target {
  /** Null: a device that describes itself. */
  readonly profile: DeviceProfile | null;
  readonly place: Place;
  readonly unit: number;
}

/** Throws a `DeviceError` that says which options contradict each other. */
export function targetOf(options: ModbusOptions, profiles: readonly DeviceProfile[]): Target {
  const profile = profiles.find(({ id }) => id === options.profile) ?? null;
  const place = placeOf(options, profile);
  const unit = options.unit ?? unitOf(place, profile);
  checkUnit(unit, place);
  return { profile, place, unit };
}

class ModbusAdapter implements RunningAdapter<ModbusOptions> {
  readonly #context: AdapterContext;
  readonly #buses: BusRegistry;
  readonly #framings: KnownFramings;
  readonly #own: OwnProfiles;
  readonly linking: ModbusLinking;
  readonly discovery: ModbusDiscovery;

  constructor(context: AdapterContext, options: ReturnType<typeof connectOptions>, own: OwnProfiles) {
    this.#context = context;
    this.#own = own;
    this.linking = new ModbusLinking(
      context.net,
      (typed, signal) => this.#open(options.parse(typed), new Set(), signal),
      own.profiles,
    );
    this.discovery = new ModbusDiscovery(context, own.profiles);
    this.#buses = new BusRegistry(context);
    this.#framings = new KnownFramings(context, (host, port) => this.#buses.kindAt(host, port));
  }

  async connect(deviceId: string, options: ModbusOptions, signal: AbortSignal): Promise<Driver> {
    return await this.#open(options, new NotedParts(this.#context.notes, deviceId), signal);
  }

  async #open(options: ModbusOptions, knownParts: KnownParts, signal: AbortSignal): Promise<Driver> {
    const broken = this.#own.broken.find(({ id }) => id === options.profile);
    if (broken !== undefined) throw new DeviceError("rejected", broken.problem);
    const target = targetOf(options, this.#own.profiles);
    try {
      return await this.#connect(target, { ...options, knownParts }, signal);
    } catch (error) {
      if (error instanceof DeviceError && error.kind === "unreachable") this.#framings.forget(target.place);
      throw error;
    }
  }

  async #connect({ profile, place, unit: id }: Target, options: Choices, signal: AbortSignal): Promise<Driver> {
    const line = await this.#framings.lineAt(place, probeRead(profile, id), signal);
    using resources = new DisposableStack();
    const { bus } = resources.use(this.#buses.share(line));
    const known = { ...pacingOf(profile?.limits), inFlight: options.inFlight };
    const asking = bus.unit(id, known);
    resources.use(asking);
    const map = await readMap(profile, asking, { ...options, clock: this.#context.clock }, signal);
    // Only now is it known how a device that describes itself wants to be asked.
    const unit = resources.use(bus.unit(id, { ...known, minGapMs: map.limits.minGapMs }));
    asking[Symbol.dispose]();
    const { clock } = this.#context;
    const driver = new ModbusDriver({ clock, unit, map, pollMs: options.pollMs, resources: resources.move() });
    return map.parts === undefined ? driver : await withParts(driver, map.parts, clock, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#buses[Symbol.dispose]();
  }
}

/** How a profile's device wants to be asked. */
export function pacingOf(limits: ProfileLimits | undefined): Omit<UnitPacing, "inFlight"> {
  if (limits === undefined) return { minGapMs: 0 };
  const { minGapMs, timeoutMs, connectDelayMs, idleCloseMs, maxClients, isWokenByRequest } = limits;
  return { minGapMs, timeoutMs, connectDelayMs, idleCloseMs, maxClients, isWokenByRequest };
}

/** A read that tells, by its answer, which frames a device speaks. */
export function probeRead(profile: DeviceProfile | null, unit: number): ProbeRead {
  const [first] = profile?.points ?? [];
  const connectDelayMs = profile?.limits.connectDelayMs ?? 0;
  if (first === undefined) return { ...SUNSPEC_READ, unit, connectDelayMs };
  return { unit, table: first.table, address: first.address, count: registerWords(first), connectDelayMs };
}

async function readMap(
  profile: DeviceProfile | null,
  unit: BusUnit,
  options: Choices & Pick<AdapterContext, "clock">,
  signal: AbortSignal,
): Promise<DeviceMap> {
  return profile === null
    ? await connectSunSpec(unit, options, signal)
    : await connectProfile(profile, unit, options, signal);
}
