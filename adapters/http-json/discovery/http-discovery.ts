import {
  type AdapterContext,
  DeviceError,
  type Driver,
  deviceRefusal,
  type FirstRead,
  type LinkableType,
  type Proof,
  type RunningDiscovery,
  type SearchScope,
  type SeenService,
  type Sighting,
  serialNumber,
} from "hemgate/sdk";
import { channelMark, eachChannel } from "../channels.ts";
import type { HttpProfile } from "../http-profile.ts";
import { ANNOUNCED_TYPES, type Announced, readAnnounced } from "./announced.ts";

const TYPES: readonly LinkableType[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];
const ANSWERS: Proof = { key: "proofAnswers", values: {} };
const PROOFS = ["inverter.power", "meter.power", "battery.power", "charger.power"] as const;
/** Profiles of devices that announce nothing, and that say by their first answer who they are. */
const ASKED_EVERYWHERE: readonly string[] = ["fronius-solar-api"];
const MAX_PARALLEL = 16;
/** Whether somebody listens at all, ms. */
const KNOCK_MS = 1_000;
/** For one device to say who it is, ms. */
const INTRODUCE_MS = 20_000;
const ANNOUNCED_CERTAINTY = 0.6;
/** It answers as announced, and wants a secret before it says more. */
const LOCKED_CERTAINTY = 0.7;
const READ_CERTAINTY = 0.95;

export interface HttpDiscoveryParts {
  readonly context: Pick<AdapterContext, "clock" | "net">;
  readonly profiles: readonly HttpProfile[];
  /** The caller disposes the driver. */
  connect(options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Driver>;
}

interface AnnouncedDevice {
  readonly service: SeenService;
  readonly details: Announced;
  readonly profile: HttpProfile;
  readonly sighting: Sighting;
}

/** Finds devices by what they announce, and in an active search by what they answer. */
export class HttpDiscovery implements RunningDiscovery {
  readonly serviceTypes = ANNOUNCED_TYPES;
  readonly #parts: HttpDiscoveryParts;

  constructor(parts: HttpDiscoveryParts) {
    this.#parts = parts;
  }

  async search(scope: SearchScope, found: (sighting: Sighting) => void, signal: AbortSignal): Promise<void> {
    const { isActive, hosts, missing, vendorId } = scope;
    if (missing !== null) {
      await inParallel(hosts, async (host) => {
        for (const { options } of missing) await this.#ask({ ...options, host }, null, found, signal);
      });
      return;
    }
    const announced = scope.services().flatMap((service) => this.#announced(service, vendorId));
    for (const { sighting } of announced) found(sighting);
    if (!isActive) return;
    // What cannot answer without its secret is not bothered.
    const willing = announced.filter(
      ({ details, service }) => details.needs.length === 0 && hosts.includes(service.address),
    );
    await inParallel(willing, async ({ details, profile, service, sighting }) => {
      const place = { host: service.address, profile: details.profile };
      const answer = await this.#ask(place, details, found, signal);
      if (answer === "locked") found({ ...sighting, confidence: LOCKED_CERTAINTY, needs: [secretOf(profile)] });
    });
    await inParallel(this.#described(scope.services(), hosts, vendorId), async ({ host, profile, details }) => {
      await this.#ask({ host, profile: profile.id }, details, found, signal);
    });
    const known = new Set(announced.map(({ service }) => service.address));
    const asked = ASKED_EVERYWHERE.filter((profile) => vendorId === null || vendorId === profile);
    await inParallel(asked.length === 0 ? [] : hosts.filter((host) => !known.has(host)), async (host) => {
      for (const profile of asked) await this.#ask({ host, profile }, null, found, signal);
      scope.onAsked?.(host);
    });
  }

  async readOnce(options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<FirstRead> {
    const profile = this.#profile(options["profile"]);
    if (profile === null) return { kind: "refused", why: "wrong-device" };
    try {
      const sighting = await this.#read(profile, options, null, signal);
      if (sighting === null) return { kind: "refused", why: "wrong-device" };
      return { kind: "read", proof: sighting.proof ?? ANSWERS };
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      if (error.kind !== "unauthorized") return { kind: "refused", why: deviceRefusal(error) };
      return { kind: "refused", why: "invalid-credentials", secret: secretOf(profile) };
    }
  }

  #announced(service: SeenService, vendorId: string | null): readonly AnnouncedDevice[] {
    const details = readAnnounced(service);
    const profile = this.#profile(details?.profile);
    if (details === null || profile === null || (vendorId !== null && vendorId !== profile.id)) return [];
    const options = { host: service.address, profile: profile.id };
    const sighting: Sighting = {
      ...sightingOf(profile, details.serial, options),
      model: details.model ?? profile.model,
      name: details.name,
      confidence: ANNOUNCED_CERTAINTY,
      proof: { key: "proofAnnounced", values: { name: service.name } },
      source: "mdns",
      ...(details.needs.length === 0 ? {} : { needs: details.needs }),
    };
    return [{ service, details, profile, sighting }];
  }

  /** Devices that say by SSDP of which maker they are, with each of its profiles that needs no secret. */
  #described(
    services: readonly SeenService[],
    hosts: readonly string[],
    vendorId: string | null,
  ): readonly { readonly host: string; readonly profile: HttpProfile; readonly details: Announced }[] {
    const byHost = new Map(
      services.flatMap(({ address, description }) => (description ? [[address, description]] : [])),
    );
    return [...byHost].flatMap(([host, { manufacturer, model, serial, name }]) => {
      const maker = (manufacturer ?? "").toUpperCase();
      const own = this.#parts.profiles.filter(
        ({ id, brand, auth, pairing }) =>
          maker.includes(brand.toUpperCase()) &&
          (vendorId === null || vendorId === id) &&
          auth.kind === "none" &&
          pairing === undefined &&
          !ASKED_EVERYWHERE.includes(id),
      );
      if (!hosts.includes(host)) return [];
      return own.map((profile) => ({
        host,
        profile,
        details: { profile: profile.id, model, serial, name, needs: [] },
      }));
    });
  }

  /**
   * Connects as the device would be run, and reads it once. What does not answer so is another device; what refuses to
   * answer without a secret is `locked`.
   */
  async #ask(
    options: Readonly<Record<string, unknown>>,
    details: Announced | null,
    found: (sighting: Sighting) => void,
    signal: AbortSignal,
  ): Promise<"locked" | "other"> {
    const profile = this.#profile(options["profile"]);
    const host = String(options["host"]);
    if (profile === null || !(await this.#knock(host, Number(options["port"] ?? profile.port), signal))) return "other";
    const own = new AbortController();
    using _ = this.#parts.context.clock.timer(INTRODUCE_MS, () => own.abort(new DeviceError("unreachable", "slow")));
    try {
      const patient = AbortSignal.any([signal, own.signal]);
      await eachChannel(profile, options, async (channel) => {
        const sighting = await this.#read(profile, channel, details, patient);
        if (sighting !== null) found(sighting);
        return sighting;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeviceError || own.signal.aborted)) throw error;
      if (error instanceof DeviceError && error.kind === "unauthorized") return "locked";
    }
    return "other";
  }

  /** Null where nothing answers that the profile knows. */
  async #read(
    profile: HttpProfile,
    options: Readonly<Record<string, unknown>>,
    details: Announced | null,
    signal: AbortSignal,
  ): Promise<Sighting | null> {
    await using driver = await this.#parts.connect(options, signal);
    const readings = await driver.read("all", signal);
    const known = readings.filter(({ value }) => value !== null);
    if (known.length === 0) return null;
    const { manufacturer, model, serial, version, name = null } = driver.identity;
    const proof = known.find(({ point }) => PROOFS.some((each) => each === point));
    return {
      ...sightingOf(profile, serial ?? details?.serial ?? null, options),
      manufacturer,
      model,
      firmware: version,
      name: name === null ? null : `${name} ${channelMark(options)}`.trimEnd(),
      vendorTypes: TYPES.filter((type) => known.some(({ point }) => point.startsWith(`${type}.`))),
      vendors: driver.vendors,
      confidence: READ_CERTAINTY,
      proof:
        typeof proof?.value === "number"
          ? { key: "proofReads", values: { value: { amount: proof.value, unit: "W", decimals: 0 } } }
          : ANSWERS,
      source: "http",
    };
  }

  async #knock(host: string, port: number, signal: AbortSignal): Promise<boolean> {
    const { clock, net } = this.#parts.context;
    const own = new AbortController();
    using _ = clock.timer(KNOCK_MS, () => own.abort(new DeviceError("unreachable", "nobody answers")));
    const deaf = { data: () => undefined, closed: () => undefined };
    try {
      using _stream = await net.connect({ host, port }, deaf, AbortSignal.any([signal, own.signal]));
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  #profile(id: unknown): HttpProfile | null {
    return this.#parts.profiles.find((profile) => profile.id === id) ?? null;
  }
}

function secretOf({ auth }: HttpProfile): "password" | "token" {
  return auth.kind === "token" ? "token" : "password";
}

function sightingOf(
  profile: HttpProfile,
  details: string | null,
  options: Readonly<Record<string, unknown>>,
): Sighting {
  const serial = serialNumber(details);
  const host = String(options["host"]);
  const points = [...profile.points.map(({ key }) => key), ...profile.derived.map(({ point }) => point)];
  const place = serial ?? `${host}:${options["port"] ?? profile.port}`;
  const key = `${profile.id}:${place}${channelMark(options)}`;
  return {
    key,
    options,
    place: { host },
    manufacturer: profile.brand,
    model: profile.model,
    serial,
    firmware: null,
    name: null,
    vendorTypes: TYPES.filter((type) => points.some((point) => point.startsWith(`${type}.`))),
    vendors: profile.vendors,
    profile: profile.id,
    address: host,
    confidence: 0,
    proof: null,
    source: "http",
    link: { vendorId: profile.id, key },
  };
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, all.length) }, worker));
}
