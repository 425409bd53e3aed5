import { MINUTE_MS, TimeoutError, within } from "hemgate/sdk";
import { seldomExtra } from "../kit/device/extra.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { type Fleet, KEPT_MS, refuseUnlessDone, UnsignedRefusal, VEHICLE_PATH } from "./fleet.ts";
import { pairingLink } from "./pairing.ts";
import { FleetStatus } from "./schemas.ts";
import { ampsAction, chargingAction } from "./signed/charging-actions.ts";
import { SignedCar } from "./signed/signed-car.ts";

/** How long the request to wake a vehicle is waited for: a command has no more than some seconds. */
const WAKE_WITHIN_MS = 4_000;
/** Between two such requests, as each costs as much as ten readings; most vehicles wake within a minute. */
const WAKE_EVERY_MS = 2 * MINUTE_MS;
const WAKES = "it is being woken";

/** A command to a vehicle: to charge or not, or with how many A. */
export type ChargingCommand = { readonly isOn: boolean } | { readonly amperes: number };

/** Tells a vehicle what to do: by REST, or signed where it takes nothing else. */
export class VehicleCommands {
  readonly #fleet: Fleet;
  readonly #vin: string;
  readonly #car: SignedCar;
  /** Null: Tesla does not tell. */
  #isSigned: boolean | null = null;
  #isPaired = false;
  /** Monotonic ms before which it is not woken again, and what became of the last time. */
  #wokenUntilMs = Number.NEGATIVE_INFINITY;
  #woken = WAKES;

  private constructor(fleet: Fleet, vin: string) {
    this.#fleet = fleet;
    this.#vin = vin;
    this.#car = new SignedCar(fleet.session, vin, (...message) => fleet.message(vin, ...message));
  }

  static async of(fleet: Fleet, vin: string, signal: AbortSignal): Promise<VehicleCommands> {
    const commands = new VehicleCommands(fleet, vin);
    await commands.#learn(signal);
    return commands;
  }

  /** True: vehicles of its kind were commanded as we do it, by others too. */
  get isProven(): boolean {
    return this.#isSigned === false;
  }

  /** What its owner has to know. Who needs signatures: teslamotors/vehicle-command, README. */
  get caveat(): string {
    const sleep = "A sleeping car is woken first, which takes up to a minute";
    if (this.#isSigned === false) return `${sleep}.`;
    const pairing = this.#isPaired
      ? "and the gateway's key is allowed in it"
      : `for which the gateway's key has to be allowed first: open ${pairingLink(this.#fleet.session.app)} on the phone with the Tesla app`;
    const kind = this.#isSigned
      ? "This car takes signed commands only"
      : "All but Model S and X from before 2021 take signed commands only";
    return `${sleep}. ${kind}, ${pairing}.`;
  }

  /** Rejects with a `CloudError` when the vehicle did not take it: with `asleep` while it is being woken for the next try. */
  async send(request: ChargingCommand, signal: AbortSignal): Promise<void> {
    try {
      await this.#sendAwake(request, signal);
    } catch (cause) {
      if (!(cause instanceof CloudError) || cause.kind !== "asleep") throw cause;
      throw new CloudError("asleep", `vehicle: ${await this.#wake(signal)}`, { cause });
    }
  }

  /** Answers in words what becomes of it. Nothing but a command wakes a vehicle: one that is looked at never rests. */
  async #wake(signal: AbortSignal): Promise<string> {
    const { clock } = this.#fleet.session;
    if (clock.monotonicMs() < this.#wokenUntilMs) return this.#woken;
    try {
      if ((await this.#fleet.stateOf(this.#vin, signal)) === "offline") return "it is out of reach of its network";
      [this.#wokenUntilMs, this.#woken] = [clock.monotonicMs() + WAKE_EVERY_MS, WAKES];
      await within(clock, WAKE_WITHIN_MS, signal, (inner) => this.#fleet.wake(this.#vin, inner));
    } catch (error) {
      if (error instanceof CloudError) this.#woken = `it sleeps, and is not woken: ${error.message}`;
      else if (!(error instanceof TimeoutError)) throw error;
    }
    return this.#woken;
  }

  async #sendAwake(request: ChargingCommand, signal: AbortSignal): Promise<void> {
    if (this.#isSigned === true) return await this.#sendSigned(request, signal);
    try {
      await this.#sendPlain(request, signal);
    } catch (cause) {
      if (!(cause instanceof UnsignedRefusal)) throw cause;
      await this.#afterRefusal(request, cause, signal);
    }
  }

  /** A vehicle that refuses may want a signature: since an update, or because that was not known. Nothing was done so far. */
  async #afterRefusal(request: ChargingCommand, cause: UnsignedRefusal, signal: AbortSignal): Promise<void> {
    const before = this.#isSigned;
    this.#fleet.session.outdate(statusKey(this.#vin));
    await this.#learn(signal);
    if (this.#isSigned === false) throw cause;
    if (before === null) return await this.#sendSigned(request, signal);
    // The owner allowed commands of another kind: these wait for a word of theirs.
    const text = "vehicle: it takes signed commands only since its last update; choose its commands again";
    throw new CloudError("refused", text, { cause });
  }

  async #sendPlain(request: ChargingCommand, signal: AbortSignal): Promise<void> {
    const isAmps = "amperes" in request;
    const name = isAmps ? "set_charging_amps" : request.isOn ? "charge_start" : "charge_stop";
    const json = isAmps ? { charging_amps: request.amperes } : {};
    await this.#fleet.command(`${VEHICLE_PATH}${this.#vin}/command/${name}`, json, this.#vin, signal);
  }

  async #sendSigned(request: ChargingCommand, signal: AbortSignal): Promise<void> {
    const action = "amperes" in request ? ampsAction(request.amperes) : chargingAction(request.isOn);
    const { isTaken, reason } = await this.#car.command(action, signal);
    if (!isTaken) refuseUnlessDone("vehicle", reason);
  }

  /** Asks how the vehicle wants its commands. What is not reported, for example without the scope, stays as it was. */
  async #learn(signal: AbortSignal): Promise<void> {
    const vin = this.#vin;
    const what = { path: `${VEHICLE_PATH}fleet_status`, json: { vins: [vin] }, subject: vin };
    const ask = (inner: AbortSignal) => this.#fleet.query(FleetStatus, what, inner);
    const { session } = this.#fleet;
    const question = { key: statusKey(vin), freshMs: KEPT_MS, schema: FleetStatus, ask };
    const status = await seldomExtra(session, question, signal);
    this.#isSigned = status?.vehicle_info[vin]?.vehicle_command_protocol_required ?? this.#isSigned;
    this.#isPaired = status?.key_paired_vins.includes(vin) ?? this.#isPaired;
  }
}

/** What Tesla tells of the signatures of a vehicle's commands, that it tells nothing included. */
function statusKey(vin: string): string {
  return `signing ${vin}`;
}
