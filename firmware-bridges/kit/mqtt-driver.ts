import {
  type Clock,
  type Control,
  type ControlPoint,
  DeviceError,
  type Driver,
  type PointName,
  type PointValue,
  type Reading,
  withholdWithoutFailsafe,
} from "hemgate/sdk";
import type { Acknowledgement, Verdict } from "./acknowledgement.ts";
import type { BridgeDevice, BridgeMessage, Command } from "./bridge.ts";
import type { DeviceSession } from "./device-session.ts";

/** How often the engine fetches what came, ms. */
const FETCH_MS = 1_000;
/** A device that is asked answers within this, ms, or counts as silent in this turn. */
const ANSWER_MS = 3_000;
/** The engine gives a write 10 s. */
const ACKNOWLEDGED_MS = 8_000;
/** A device that tells its state in rounds shows in the second round after a command what became of it. */
const ROUNDS_TO_SHOW = 2;
/** A device is not asked more often, whatever the engine wants to see, ms. */
const ASK_AT_MOST_MS = 1_000;
/** Values asked for by the engine's rhythm count as due a little before they are. */
const EARLY_MS = 200;

export interface MqttDriverParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly device: BridgeDevice;
  readonly session: DeviceSession;
  /** Whether a battery may be forced that nothing but the gateway would stop. */
  readonly acceptsNoFailsafe: boolean;
  /** The session and its link, which the driver disposes. */
  readonly resources: Disposable;
}

/** Runs any bridge: answers with what came, and waits for what shows that a command arrived. */
export class MqttDriver implements Driver {
  readonly identity: Driver["identity"];
  readonly vendors: readonly string[];
  readonly isEnergyManager: boolean;
  readonly points: readonly PointName[];
  readonly controls: readonly Control[];
  readonly unconfirmed: readonly ControlPoint[];
  readonly pollMs: number;
  readonly #parts: MqttDriverParts;
  readonly #writtenAtMs = new Map<PointName, number>();
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: MqttDriverParts) {
    const { device, session, acceptsNoFailsafe } = parts;
    this.#parts = parts;
    this.identity = session.identity;
    this.vendors = device.vendors;
    this.isEnergyManager = device.isEnergyManager ?? false;
    const { controls, withheld } = withholdWithoutFailsafe(device.controls(), acceptsNoFailsafe);
    this.controls = controls;
    this.unconfirmed = withheld;
    const reported = [...session.points.points, ...(device.expected?.() ?? [])];
    this.points = [...new Set([...reported, ...this.controls.map(({ point }) => point)])];
    this.pollMs = FETCH_MS;
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    signal.throwIfAborted();
    await this.#askWhenDue(scope, signal);
    const { session, clock } = this.#parts;
    const absence = session.absence();
    if (absence !== null) throw new DeviceError("unreachable", absence);
    const known = new Set(this.points);
    const sinceMs = (point: PointName): number => this.#writtenAtMs.get(point) ?? Number.NEGATIVE_INFINITY;
    return session.points.readings(scope, clock.monotonicMs(), sinceMs).filter(({ point }) => known.has(point));
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { device, session, clock } = this.#parts;
    const control = this.controls.find((each) => each.point === point);
    if (control === undefined) throw new DeviceError("rejected", `${point} of this device cannot be written`);
    if (!takes(control, value)) throw new DeviceError("rejected", `${point} does not take ${value}`);
    const absence = session.absence();
    if (absence !== null) throw new DeviceError("unreachable", absence);
    const command = device.command(point, value);
    const acknowledged = this.#acknowledged(command, signal);
    // A rejection of the publish comes first; the wait then ends unheard.
    acknowledged.catch(() => undefined);
    // A device that already has the value is not written to, and does not tell it again.
    if (command.messages.length > 0) this.#writtenAtMs.set(point, clock.monotonicMs());
    await session.publish(command.messages, signal);
    const verdict = await acknowledged;
    const { acknowledgement } = command;
    // What is published too rarely to wait for is seen in a later reading.
    if (verdict === "taken" || (verdict === null && this.#comesLate(acknowledgement))) return;
    if (verdict !== null) throw new DeviceError("rejected", `${point} ${value}: ${verdict.refusal}`);
    const where = acknowledgement.style === "none" ? "" : ` on ${acknowledgement.topic}`;
    throw new DeviceError("unreachable", `${point} ${value}: no answer${where} within ${ACKNOWLEDGED_MS / 1_000} s`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.resources[Symbol.dispose]();
  }

  async #askWhenDue(scope: "due" | "all", signal: AbortSignal): Promise<void> {
    const { device, session, clock } = this.#parts;
    const { query } = device;
    if (query === undefined) return;
    const nowMs = clock.monotonicMs();
    // Asked also while it tells something by itself: that may be a part only.
    if (nowMs - this.#askedAtMs < (scope === "all" ? ASK_AT_MOST_MS : query.everyMs - EARLY_MS)) return;
    this.#askedAtMs = nowMs;
    await session.ask(query.messages(), signal);
    const isAnswered = (message: BridgeMessage | null): true | null =>
      message !== null && !message.isRetained && (session.lifeAtMs ?? Number.NEGATIVE_INFINITY) >= nowMs ? true : null;
    await session.waitFor(isAnswered, ANSWER_MS, signal);
  }

  #comesLate({ style }: Acknowledgement): boolean {
    const { everyMs } = this.#parts.device.timing;
    return style === "rounds" && (everyMs ?? 0) * ROUNDS_TO_SHOW > ACKNOWLEDGED_MS;
  }

  async #acknowledged({ acknowledgement }: Command, signal: AbortSignal): Promise<Verdict> {
    if (acknowledgement.style === "none") return "taken";
    const { session } = this.#parts;
    const judge = (message: BridgeMessage | null): Verdict =>
      message === null || message.isRetained ? null : acknowledgement.judge(message);
    if (acknowledgement.style !== "poll") return await session.waitFor(judge, ACKNOWLEDGED_MS, signal);
    const tries = Math.floor(ACKNOWLEDGED_MS / acknowledgement.askEveryMs);
    for (let asked = 0; asked < tries; asked += 1) {
      const answer = session.waitFor(judge, acknowledgement.askEveryMs, signal);
      answer.catch(() => undefined);
      // The answer may come before the broker acknowledges the question.
      if (asked > 0) await session.ask([acknowledgement.ask], signal);
      const verdict = await answer;
      if (verdict !== null) return verdict;
    }
    return null;
  }
}

function takes({ values, range }: Control, value: PointValue): boolean {
  if (values?.includes(value) === true) return true;
  return typeof value === "number" && range !== undefined && value >= range.min && value <= range.max;
}
