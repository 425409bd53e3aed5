/** Zaptec's cloud in memory: its constants' names and numbers, and the answers that custom-components/zaptec expects. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TokenDesk } from "./token-desk.ts";

const ACCESS_MS = 86_399_000;
/** A command reaches the charger, and the charger's word the cloud. */
const REACHES_MS = 3_000;
const PAGE_SIZE = 2;
const VOLTS = 231;
const NOISE = { volts: 2.202, amperes: 0.59 };
const STOP = 506;
const RESUME = 507;

/** A charger as it really is: A, kWh. */
export interface TwinZaptec {
  readonly id: string;
  name: string;
  deviceType: number;
  isOnline: boolean;
  isEnabled: boolean;
  /** 1 unplugged, 2 requesting, 3 charging, 5 finished, and what nobody knows. */
  mode: number;
  isStopped: boolean;
  /** Of three. */
  phases: 1 | 3;
  networkType: number;
  maxA: number;
  amperes: number;
  sessionKwh: number;
  signedMeter: string;
  /** Firmware that tells power in kW. */
  tellsKilowatts: boolean;
}

/** The numbers that the constants give today; a test may move one. */
export const ZAPTEC_OBSERVATIONS = {
  IsOnline: -2,
  VoltagePhase1: 501,
  VoltagePhase2: 502,
  VoltagePhase3: 503,
  CurrentPhase1: 507,
  CurrentPhase2: 508,
  CurrentPhase3: 509,
  ChargerMaxCurrent: 510,
  ChargerMinCurrent: 511,
  TotalChargePower: 513,
  TotalChargePowerSession: 553,
  SignedMeterValue: 554,
  ChargerOperationMode: 710,
  IsEnabled: 711,
  NetworkType: 715,
  FinalStopActive: 718,
  SmartComputerSoftwareApplicationVersion: 911,
  LteIccid: 962,
};

export class ZaptecTwin extends CloudTwin {
  readonly hosts = ["api.zaptec.com"];
  readonly desk: TokenDesk;
  readonly account = { username: "ada@example.com", password: "secret-1" };
  chargers: TwinZaptec[] = [];
  strangers: unknown[] = [];
  observations: Readonly<Record<string, number>> = ZAPTEC_OBSERVATIONS;
  /** What the circuit of all chargers carries, A. */
  circuitA = 20;
  /** How often the hierarchy is still answered with 204. */
  gathering = 0;
  /** The login may charge, and not see the installation. */
  isGuest = false;
  readonly #pending: { readonly atMs: number; readonly apply: () => void }[] = [];

  constructor(clock: Clock) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: ACCESS_MS, refreshMs: null, rotates: true });
  }

  protected answer(asked: AskedOfTwin): SimWebAnswer {
    this.#settle();
    const { url, form } = asked;
    if (url.pathname === "/oauth/token") return this.#token(form);
    if (!this.desk.accepts(asked.request.headers["authorization"])) return jsonAnswer({}, 401);
    const [kind = "", id = "", what = "", command = ""] = url.pathname.split("/").slice(2);
    if (kind === "constants") return jsonAnswer({ Observations: this.observations, Version: 1 });
    if (kind === "installation" && what === "hierarchy") return this.#hierarchy();
    if (kind === "chargers" && id === "") return this.#page(Number(url.searchParams.get("PageIndex") ?? 0));
    const charger = this.chargers.find((one) => one.id === id);
    if (kind !== "chargers" || charger === undefined) return problem(501);
    if (asked.method === "GET" && what === "state") return jsonAnswer(this.#state(charger));
    if (asked.method === "POST" && what === "update") return this.#update(charger, Object(asked.json));
    if (asked.method === "POST" && what.toLowerCase() === "sendcommand") return this.#command(charger, Number(command));
    return problem(519);
  }

  #token(form: URLSearchParams): SimWebAnswer {
    const isGrant = form.get("grant_type") === "password" && form.get("scope") === "openid";
    const isRight = form.get("username") === this.account.username && form.get("password") === this.account.password;
    if (!isGrant || !isRight) return jsonAnswer({ error: "invalid_grant" }, 400);
    const { refresh_token: _, ...token } = this.desk.issue();
    return jsonAnswer(token);
  }

  #page(index: number): SimWebAnswer {
    const all = [...this.strangers, ...this.chargers.map(listed)];
    const Data = all.slice(index * PAGE_SIZE, (index + 1) * PAGE_SIZE);
    return jsonAnswer({ Pages: Math.ceil(all.length / PAGE_SIZE), Data });
  }

  #hierarchy(): SimWebAnswer {
    if (this.isGuest) return jsonAnswer({ Code: 533 }, 403);
    if (this.gathering > 0) {
      this.gathering -= 1;
      return { status: 204 };
    }
    const Chargers = this.chargers.map(({ id, name }) => ({ Id: id, Name: name }));
    return jsonAnswer({
      Id: "installation-1",
      Circuits: [null, { Id: "circuit-1", MaxCurrent: this.circuitA, Chargers }],
    });
  }

  #update(charger: TwinZaptec, body: Readonly<Record<string, unknown>>): SimWebAnswer {
    const amperes = body["maxChargeCurrent"];
    if (typeof amperes !== "number") return problem(503);
    this.#later(charger, { maxA: amperes });
    return { status: 200 };
  }

  #command(charger: TwinZaptec, command: number): SimWebAnswer {
    if (!charger.isOnline) return problem(520);
    if (command === STOP) {
      if (charger.mode === 1 || charger.isStopped) return problem(528);
      this.#later(charger, { isStopped: true, mode: 5 });
      return { status: 200 };
    }
    if (command !== RESUME) return problem(519);
    if (charger.mode !== 5 || !charger.isStopped) return problem(528);
    this.#later(charger, { isStopped: false, mode: 3 });
    return { status: 200 };
  }

  #later(charger: TwinZaptec, change: Partial<TwinZaptec>): void {
    this.#pending.push({ atMs: this.clock.monotonicMs() + REACHES_MS, apply: () => Object.assign(charger, change) });
  }

  #settle(): void {
    const nowMs = this.clock.monotonicMs();
    while (this.#pending[0] !== undefined && this.#pending[0].atMs <= nowMs) this.#pending.shift()?.apply();
  }

  #state(charger: TwinZaptec): readonly unknown[] {
    const isCharging = charger.mode === 3;
    const amperes = isCharging ? Math.min(charger.amperes, charger.maxA) : 0;
    const phase = (number: number) => isCharging && number <= charger.phases;
    const watts = amperes * VOLTS * charger.phases;
    const values: Readonly<Record<string, unknown>> = {
      IsOnline: charger.isOnline ? 1 : 0,
      ...Object.fromEntries(
        [1, 2, 3].flatMap((number) => [
          [`VoltagePhase${number}`, phase(number) ? VOLTS : NOISE.volts],
          [`CurrentPhase${number}`, phase(number) ? amperes : NOISE.amperes],
        ]),
      ),
      ChargerMaxCurrent: charger.maxA.toFixed(3),
      ChargerMinCurrent: "6.000",
      TotalChargePower: charger.tellsKilowatts ? watts / 1_000 : watts,
      TotalChargePowerSession: charger.sessionKwh,
      SignedMeterValue: charger.signedMeter,
      ChargerOperationMode: charger.mode,
      IsEnabled: charger.isEnabled ? 1 : 0,
      NetworkType: charger.networkType,
      FinalStopActive: charger.isStopped ? 1 : 0,
      SmartComputerSoftwareApplicationVersion: "3.2.2.0",
      LteIccid: "8947000000000000000",
    };
    // UTC, and nothing that says so.
    const Timestamp = new Date(this.clock.nowMs()).toISOString().replace("Z", "");
    const entries = Object.entries(values).map(([name, value]) => {
      return { ChargerId: charger.id, StateId: this.observations[name], Timestamp, ValueAsString: String(value) };
    });
    return [{ ChargerId: charger.id, StateId: "odd" }, { StateId: 4_711 }, ...entries];
  }
}

function listed({ id, name, deviceType, isOnline, mode }: TwinZaptec): Readonly<Record<string, unknown>> {
  return {
    Id: id,
    Name: name,
    DeviceId: `ZAP${id.slice(-6)}`,
    DeviceType: deviceType,
    IsOnline: isOnline,
    OperatingMode: mode,
    InstallationId: "installation-1",
  };
}

/** Zaptec's own codes come with 500. */
function problem(Code: number): SimWebAnswer {
  return jsonAnswer({ Code, Details: null, StackTrace: null }, 500);
}
