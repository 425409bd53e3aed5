/** The half of the adapter that is loaded with its first device: connections, links, searches. */
import {
  type AdapterContext,
  DeviceError,
  type DeviceProfile,
  type Driver,
  type KnownParts,
  NotedParts,
  type ProfileLimits,
  type RunningAdapter,
  registerWords,
  withParts,
} from "hemgate/sdk";
import { BusRegistry } from "./bus/bus-registry.ts";
import type { ProbeRead } from "./bus/find-framing.ts";
import { KnownFramings } from "./bus/known-framings.ts";
import type { BusUnit } from "./bus/modbus-bus.ts";
import type { UnitPacing } from "./bus/unit-queue.ts";
import { type ModbusOptions, type Target, targetOf } from "./connect-options.ts";
import { ModbusDiscovery } from "./discovery/modbus-discovery.ts";
import type { DeviceMap } from "./driver/device-map.ts";
import { ModbusDriver } from "./driver/modbus-driver.ts";
import { ModbusLinking } from "./modbus-linking.ts";
import { connectProfile } from "./profile/profile-map.ts";
import type { BrokenProfile, ProfileSummary } from "./profile/profile-summary.ts";
import { connectSunSpec } from "./sunspec/connect-sunspec.ts";

/** Where SunSpec devices usually begin; an exception is an answer as well. */
const SUNSPEC_READ = { table: "holding", address: 40_000, count: 2 } as const;

/** What the owner says of a device, and which of its parts earlier connections found. */
type Choices = ModbusOptions & { readonly knownParts: KnownParts };

/** What the adapter knows before its first device. */
export interface ModbusTerms {
  readonly profiles: readonly ProfileSummary[];
  readonly broken: readonly BrokenProfile[];
  /** Parses the options of a device that is being linked. Throws when they are wrong. */
  parse(options: Readonly<Record<string, unknown>>): ModbusOptions;
}

export class RunningModbus implements RunningAdapter<ModbusOptions> {
  readonly #context: AdapterContext;
  readonly #buses: BusRegistry;
  readonly #framings: KnownFramings;
  readonly #terms: ModbusTerms;
  readonly linking: ModbusLinking;
  readonly discovery: ModbusDiscovery;

  constructor(context: AdapterContext, terms: ModbusTerms) {
    this.#context = context;
    this.#terms = terms;
    this.linking = new ModbusLinking(
      context.net,
      (typed, signal) => this.#open(terms.parse(typed), new Set(), signal),
      terms.profiles,
    );
    this.discovery = new ModbusDiscovery(context, terms.profiles);
    this.#buses = new BusRegistry(context);
    this.#framings = new KnownFramings(context, (host, port) => this.#buses.kindAt(host, port));
  }

  async connect(deviceId: string, options: ModbusOptions, signal: AbortSignal): Promise<Driver> {
    return await this.#open(options, new NotedParts(this.#context.notes, deviceId), signal);
  }

  async #open(options: ModbusOptions, knownParts: KnownParts, signal: AbortSignal): Promise<Driver> {
    const broken = this.#terms.broken.find(({ id }) => id === options.profile);
    if (broken !== undefined) throw new DeviceError("rejected", broken.problem);
    const target = targetOf(options, this.#terms.profiles);
    try {
      return await this.#connect(target, { ...options, knownParts }, signal);
    } catch (error) {
      if (error instanceof DeviceError && error.kind === "unreachable") this.#framings.forget(target.place);
      throw error;
    }
  }

  async #connect(
    { profile: summary, place, unit: id }: Target<ProfileSummary>,
    options: Choices,
    signal: AbortSignal,
  ): Promise<Driver> {
    const profile = (await summary?.load()) ?? null;
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
