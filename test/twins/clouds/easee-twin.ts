/** Easee's cloud in memory: developer.easee.com's logins and commands, pyeasee's and evcc's numbers and answers. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import type { SimHub } from "../../../src/testing/network/sim-websockets.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { EaseeHub, type EaseeTelling } from "./easee-hub.ts";
import { TokenDesk } from "./token-desk.ts";

const ACCESS_MS = 3_600_000;
/** A queued command reaches the charger. */
const REACHES_MS = 2_000;
/** The vehicle begins, and begins at 6 A. */
const STARTS_MS = 5_000;
const STARTS_LATE_MS = 5 * 60_000;
const STREAM_HOST = "streams.easee.com";
const LEAST_A = 6;
const AT_ONCE_A = 7;
const LOOK_MS = 250;
const VOLTS = 230;
/** .NET ticks, of 100 ns, at the start of the clock's time. */
const TICKS_AT_EPOCH = 621_355_968_000_000_000;

/** A charger with three phases as it really is: A, kWh. */
export interface TwinEasee {
  readonly id: string;
  name: string;
  isOnline: boolean;
  isEnabled: boolean;
  needsAuthorization: boolean;
  isPlugged: boolean;
  /** The vehicle has had enough. */
  isFull: boolean;
  hasFault: boolean;
  gridType: number;
  /** 1: locked to one phase, 2: by itself, 3: locked to three. */
  phaseMode: number;
  maxA: number;
  dynamicA: number;
  sessionKwh: number;
  lifetimeKwh: number;
  /** Set to a number that nobody knows, it is told instead. */
  oddMode: number | null;
}

interface Telling {
  readonly value: number | boolean | string;
  readonly atMs: number;
}

export class EaseeTwin extends CloudTwin {
  readonly hosts = ["api.easee.com", STREAM_HOST];
  readonly desk: TokenDesk;
  readonly account = { userName: "ada@example.com", password: "secret-1" };
  chargers: TwinEasee[] = [];
  /** Listed beside the chargers. */
  strangers: unknown[] = [];
  /** Answers 403 "too many requests", as it does now and then instead of 429. */
  isTired = false;
  /** The charger refuses what it is commanded. */
  isStubborn = false;
  readonly stream: EaseeHub;
  readonly #pending: { readonly atMs: number; readonly apply: () => void }[] = [];
  /** Wall-clock ms at which each vehicle begins to charge. */
  readonly #startsAtMs = new Map<string, number>();
  /** On so many phases charging began. */
  readonly #phases = new Map<string, 1 | 3>();
  readonly #told = new Map<string, Telling>();

  /** `lookMs`: how often the hub looks for something to tell, ms. */
  constructor(clock: Clock, { lookMs = LOOK_MS }: { readonly lookMs?: number } = {}) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: ACCESS_MS, refreshMs: null, rotates: true });
    this.stream = new EaseeHub({
      clock,
      accepts: (authorization) => this.desk.accepts(authorization),
      tellings: (chargerId) => this.#tellings(chargerId),
      lookMs,
    });
  }

  override get hub(): SimHub {
    return (request, socket) => {
      if (request.host !== STREAM_HOST) return { status: 404 };
      return this.trouble === null ? this.stream.accept(request, socket) : { status: 503 };
    };
  }

  unplug(charger: TwinEasee): void {
    charger.isPlugged = false;
    charger.dynamicA = charger.maxA;
  }

  /** W into the vehicle. */
  powerW(charger: TwinEasee): number {
    return this.#mode(charger) === 3 ? charger.dynamicA * VOLTS * (this.#phases.get(charger.id) ?? 3) : 0;
  }

  protected answer(asked: AskedOfTwin): SimWebAnswer {
    this.#settle();
    const { url, json } = asked;
    const path = url.pathname;
    if (path === "/api/accounts/login") return this.#login(Object(json));
    if (path === "/api/accounts/refresh_token") return token(this.desk.renew(Object(json).refreshToken ?? null));
    if (!this.desk.accepts(asked.request.headers["authorization"])) return problem(401, "Token expired");
    if (this.isTired) return problem(403, "too many requests");
    if (url.host === STREAM_HOST) return this.#negotiate(asked);
    if (path === "/api/chargers") return jsonAnswer([...this.strangers, ...this.chargers.map(listed)]);
    const [, observed] = /^\/state\/([^/]+)\/observations$/.exec(path) ?? [];
    const [, commanded, what, command] = /^\/api\/chargers\/([^/]+)\/(settings|commands)(?:\/(\w+))?$/.exec(path) ?? [];
    const charger = this.chargers.find(({ id }) => id === (observed ?? commanded));
    if (charger === undefined) return problem(404, "not found");
    if (observed !== undefined) return this.#observations(charger, url.searchParams.get("ids") ?? "");
    if (asked.method !== "POST") return problem(405, "method not allowed");
    return what === "settings" ? this.#settings(charger, Object(json)) : this.#command(charger, command ?? "");
  }

  protected override limited(): SimWebAnswer {
    return jsonAnswer({ title: "Too many requests" }, 429, { "retry-after": "60" });
  }

  #login({ userName, password }: Readonly<Record<string, unknown>>): SimWebAnswer {
    const isRight = userName === this.account.userName && password === this.account.password;
    return isRight ? token(this.desk.issue()) : problem(400, "Username and password combination is invalid");
  }

  #negotiate({ method, url }: AskedOfTwin): SimWebAnswer {
    const isRight = method === "POST" && url.pathname === "/hubs/chargers/negotiate";
    return isRight ? this.stream.negotiate() : problem(404, "not found");
  }

  #settings(charger: TwinEasee, settings: Readonly<Record<string, unknown>>): SimWebAnswer {
    const { dynamicChargerCurrent, enabled, phaseMode } = settings;
    const change: Partial<TwinEasee> = {
      ...(typeof dynamicChargerCurrent === "number" && { dynamicA: Math.min(dynamicChargerCurrent, charger.maxA) }),
      ...(typeof enabled === "boolean" && { isEnabled: enabled }),
      ...(typeof phaseMode === "number" && { phaseMode }),
    };
    if (Object.keys(change).length === 0) return problem(400, "no such setting");
    const isSame = Object.entries(change).every(([name, value]) => charger[name as keyof TwinEasee] === value);
    return isSame ? jsonAnswer([], 200) : jsonAnswer([this.#queue(charger, 48, change)], 202);
  }

  #command(charger: TwinEasee, command: string): SimWebAnswer {
    switch (command) {
      case "pause_charging":
        return jsonAnswer(this.#queue(charger, 48, { dynamicA: 0 }), 202);
      case "resume_charging":
        return jsonAnswer(this.#queue(charger, 48, { dynamicA: charger.maxA }), 202);
      case "start_charging":
        return jsonAnswer(this.#queue(charger, 25, { needsAuthorization: false }), 202);
      default:
        return problem(404, "no such command");
    }
  }

  #queue(charger: TwinEasee, commandId: number, change: Partial<TwinEasee>): Readonly<Record<string, unknown>> {
    const ticks = TICKS_AT_EPOCH + this.clock.nowMs() * 10_000;
    const apply = (): void => {
      const wasAccepted = !this.isStubborn;
      if (wasAccepted) Object.assign(charger, change);
      const response = { serialNumber: charger.id, id: commandId, ticks, wasAccepted, resultCode: wasAccepted ? 0 : 1 };
      this.stream.respond(charger.id, response);
    };
    this.#pending.push({ atMs: this.clock.nowMs() + REACHES_MS, apply });
    return { device: charger.id, commandId, ticks };
  }

  #settle(): void {
    const nowMs = this.clock.nowMs();
    while (this.#pending[0] !== undefined && this.#pending[0].atMs <= nowMs) this.#pending.shift()?.apply();
    for (const charger of this.chargers) {
      const { id, dynamicA, isEnabled, needsAuthorization, isPlugged, isFull } = charger;
      const mayCharge = isPlugged && !isFull && isEnabled && !needsAuthorization && dynamicA >= LEAST_A;
      if (!mayCharge) this.#startsAtMs.delete(id);
      else if (!this.#startsAtMs.has(id)) {
        this.#startsAtMs.set(id, nowMs + (dynamicA < AT_ONCE_A ? STARTS_LATE_MS : STARTS_MS));
        // It never switches a vehicle that charges (evcc-io/evcc#14387).
        this.#phases.set(id, charger.phaseMode === 1 ? 1 : 3);
      }
    }
  }

  #mode(charger: TwinEasee): number {
    if (charger.oddMode !== null) return charger.oddMode;
    if (charger.hasFault) return 5;
    if (!charger.isPlugged) return 1;
    if (charger.needsAuthorization) return 7;
    if (charger.isFull) return 4;
    if (this.clock.nowMs() >= (this.#startsAtMs.get(charger.id) ?? Number.POSITIVE_INFINITY)) return 3;
    return charger.dynamicA === 0 || !charger.isEnabled ? 2 : 6;
  }

  /** Out of reach, the cloud goes on telling what it was told last. */
  #observe(charger: TwinEasee): void {
    const values = charger.isOnline ? this.#values(charger) : { 250: false };
    for (const [id, value] of Object.entries(values)) {
      const key = `${charger.id} ${id}`;
      const isTelemetry = Number(id) >= 120;
      if (isTelemetry || this.#told.get(key)?.value !== value) this.#told.set(key, { value, atMs: this.clock.nowMs() });
    }
  }

  #tellings(chargerId: string): readonly EaseeTelling[] | null {
    this.#settle();
    const charger = this.chargers.find(({ id }) => id === chargerId);
    if (charger === undefined) return null;
    this.#observe(charger);
    const prefix = `${chargerId} `;
    const own = [...this.#told].filter(([key]) => key.startsWith(prefix));
    return own.map(([key, telling]) => ({ id: Number(key.slice(prefix.length)), ...telling }));
  }

  #observations(charger: TwinEasee, ids: string): SimWebAnswer {
    this.#observe(charger);
    const observations = ids.split(",").flatMap((id) => {
      const told = this.#told.get(`${charger.id} ${id}`);
      if (told === undefined) return [];
      const { value } = told;
      const dataType = typeof value === "boolean" ? 2 : typeof value === "string" ? 6 : 3;
      return [{ id: Number(id), dataType, value, timestamp: new Date(told.atMs).toISOString() }];
    });
    return jsonAnswer({ observations: [{ id: "odd" }, ...observations] });
  }

  #values(charger: TwinEasee): Readonly<Record<number, number | boolean | string>> {
    const amperes = this.#mode(charger) === 3 ? charger.dynamicA : 0;
    return {
      21: charger.gridType,
      31: charger.isEnabled,
      38: charger.phaseMode,
      47: charger.maxA,
      48: charger.dynamicA,
      80: 317,
      109: this.#mode(charger),
      120: this.powerW(charger) / 1_000,
      121: charger.sessionKwh,
      124: charger.lifetimeKwh,
      183: amperes,
      184: this.#phases.get(charger.id) === 1 ? 0 : amperes,
      185: this.#phases.get(charger.id) === 1 ? 0 : amperes,
      194: VOLTS,
      195: VOLTS,
      196: 2.4,
      250: true,
    };
  }
}

function listed({ id, name }: TwinEasee): Readonly<Record<string, unknown>> {
  return { id, name, productCode: 1, levelOfAccess: 1, userRole: 1 };
}

function token(given: ReturnType<TokenDesk["renew"]>): SimWebAnswer {
  if (given === null) return problem(400, "Invalid refresh token");
  return jsonAnswer({
    accessToken: given.access_token,
    expiresIn: given.expires_in,
    accessClaims: ["User"],
    tokenType: "Bearer",
    refreshToken: given.refresh_token,
  });
}

function problem(status: number, title: string): SimWebAnswer {
  return jsonAnswer({ errorCode: 100, title, status }, status);
}
