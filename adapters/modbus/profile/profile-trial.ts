/** Tries a profile on a device: each register by itself, as it stands on the wire. Writes only on request. */
import {
  type Confidence,
  type Control,
  type ControlPoint,
  DeviceError,
  type DeviceIdentity,
  type DeviceProfile,
  type PointName,
  type PointValue,
  type RegisterTable,
  type RegisterType,
  type RegisterValue,
  registerWords,
} from "hemgate/sdk";
import { BusRegistry } from "../bus/bus-registry.ts";
import type { BusWorld } from "../bus/bus-world.ts";
import { KnownFramings } from "../bus/known-framings.ts";
import { ModbusException } from "../bus/modbus-exception.ts";
import { type ModbusOptions, targetOf } from "../connect-options.ts";
import { acceptsValue } from "../driver/control-value.ts";
import { decoder, scaleTens } from "../driver/decode.ts";
import type { DeviceMap } from "../driver/device-map.ts";
import type { ModbusUnit } from "../driver/register-point.ts";
import { pacingOf, probeRead } from "../running-modbus.ts";
import { connectProfile } from "./profile-map.ts";

/** After so many registers in a row without an answer the device is left alone. */
const MAX_SILENT = 3;

/** One register of a profile as it was found. */
export interface TriedRegister {
  readonly key: string;
  readonly table: RegisterTable;
  readonly address: number;
  readonly type: RegisterType;
  readonly confidence: Confidence;
  /** As on the wire; null when nothing came. */
  readonly raw: readonly number[] | null;
  readonly value: RegisterValue;
  /** Why there is no value, in words; null when there is one. */
  readonly problem: string | null;
}

/** What one round found. */
export interface TriedRound {
  readonly registers: readonly TriedRegister[];
  readonly points: readonly { readonly point: PointName; readonly value: PointValue | null }[];
}

/** A device that a profile is tried on. One connection; the caller disposes it. */
export interface ProfileTrial extends Disposable {
  readonly identity: DeviceIdentity;
  /** As the gateway would offer them with these options. */
  readonly controls: readonly Control[];
  read(signal: AbortSignal): Promise<TriedRound>;
  /** As `Driver.write`; what was read last is what recipes work with. */
  write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void>;
}

/** Connects. Rejects with a `DeviceError`, or when the options contradict each other. */
export async function openTrial(
  world: BusWorld,
  profile: DeviceProfile,
  options: ModbusOptions,
  signal: AbortSignal,
): Promise<ProfileTrial> {
  using resources = new DisposableStack();
  const { place, unit: id } = targetOf(options, [profile]);
  const buses = resources.use(new BusRegistry(world));
  const framings = new KnownFramings(world, (host, port) => buses.kindAt(host, port));
  const line = await framings.lineAt(place, probeRead(profile, id), signal);
  const { bus } = resources.use(buses.share(line));
  const unit = resources.use(bus.unit(id, { ...pacingOf(profile.limits), inFlight: 1 }));
  const map = await connectProfile(profile, unit, { ...options, clock: world.clock }, signal);
  return new Trial(profile, unit, map, resources.move());
}

class Trial implements ProfileTrial {
  readonly identity: DeviceIdentity;
  readonly controls: readonly Control[];
  readonly #profile: DeviceProfile;
  readonly #unit: ModbusUnit;
  readonly #map: DeviceMap;
  readonly #resources: Disposable;
  readonly #values = new Map<string, RegisterValue>();

  constructor(profile: DeviceProfile, unit: ModbusUnit, map: DeviceMap, resources: Disposable) {
    this.#profile = profile;
    this.#unit = unit;
    this.#map = map;
    this.#resources = resources;
    this.identity = map.identity;
    this.controls = map.controls;
  }

  async read(signal: AbortSignal): Promise<TriedRound> {
    const found: Pick<TriedRegister, "raw" | "problem">[] = [];
    let silent = 0;
    for (const register of this.#map.registers) {
      const isLeftAlone = silent >= MAX_SILENT;
      const answer = isLeftAlone
        ? { raw: null, problem: "not asked: nothing answers" }
        : await this.#ask(register, signal);
      silent = answer.raw === null && !("isRefused" in answer) ? silent + 1 : 0;
      found.push(answer);
    }
    this.#decode(found);
    const registers = this.#map.registers.map((register, index): TriedRegister => {
      const { raw = null, problem = null } = found[index] ?? {};
      const { key, table, address, type } = register;
      const value = this.#values.get(key) ?? null;
      const confidence = this.#profile.points[index]?.confidence ?? "unverified";
      const why = problem ?? (value === null ? "the device says: no value" : null);
      return { key, table, address, type, confidence, raw, value, problem: why };
    });
    return { registers, points: this.#points() };
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    const control = this.#map.controls.find((each) => each.point === point);
    if (control === undefined) throw new DeviceError("rejected", `${point} of this profile cannot be written`);
    if (!acceptsValue(control, value)) throw new DeviceError("rejected", `${point} does not take ${value}`);
    await control.write(this.#unit, value, this.#values, signal);
  }

  [Symbol.dispose](): void {
    this.#resources[Symbol.dispose]();
  }

  async #ask(
    register: DeviceMap["registers"][number],
    signal: AbortSignal,
  ): Promise<Pick<TriedRegister, "raw" | "problem"> & { readonly isRefused?: true }> {
    try {
      const words = await this.#unit.read(register.table, register.address, registerWords(register), signal);
      return { raw: [...words], problem: null };
    } catch (error) {
      if (!(error instanceof DeviceError) || signal.aborted) throw error;
      const isRefused = error instanceof ModbusException && !error.isFromGateway;
      return { raw: null, problem: error.message, ...(isRefused ? { isRefused } : {}) };
    }
  }

  /** Powers of ten first, because others scale with them. */
  #decode(found: readonly Pick<TriedRegister, "raw">[]): void {
    const scales = new Set(this.#map.registers.flatMap(({ scaleFrom }) => scaleFrom ?? []));
    for (const isScale of [true, false]) {
      for (const [index, register] of this.#map.registers.entries()) {
        if (scales.has(register.key) !== isScale) continue;
        const raw = found[index]?.raw ?? null;
        const tens = register.scaleFrom === undefined ? 0 : scaleTens(this.#values.get(register.scaleFrom));
        const value = raw === null || tens === null ? null : decoder(register)(Uint16Array.from(raw), 0, tens);
        this.#values.set(register.key, value);
      }
    }
  }

  /** Every point that a device of this profile tells. */
  #points(): TriedRound["points"] {
    const read = this.#profile.points.flatMap(({ key, states }) =>
      states === undefined && !key.startsWith("raw.")
        ? [{ point: key as PointName, value: (this.#values.get(key) ?? null) as PointValue | null }]
        : [],
    );
    const derived = this.#map.derived.map((each) => ({ point: each.point, value: each.value(this.#values) }));
    return [...read, ...derived];
  }
}
