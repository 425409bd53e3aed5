import { MINUTE_MS, type PointName } from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import {
  ChargerState,
  changedReadings,
  MODE,
  nameOf,
  OBSERVATION,
  Observation,
  type ObservationName,
  Observations,
  PHASE_MODES,
  stateReadings,
} from "./observations.ts";
import type { ChargerNews } from "./push.ts";
import { type Outcome, QueuedCommands } from "./queued-commands.ts";

export const HOST = "https://api.easee.com";

const ACTIVE_MS = 5 * MINUTE_MS;
const MIN_A = 6;
const MAX_A = 32;
/** A vehicle that is to start at 6 A is let start some 5 min later by the firmware (evcc's charger/easee). */
const STARTS_AT_ONCE_A = 7;
const IDS = Object.values(OBSERVATION).join(",");
const ABOUT_TO_START: readonly (number | null)[] = [MODE.awaitingStart, MODE.ready];
const AWAITING: readonly (number | null)[] = [MODE.awaitingStart, MODE.awaitingAuthorization];

/** What the stream would have sent at once, and telemetry would not show. */
const EVENTS = { numbers: ["mode", "dynamicChargerCurrent"], flags: ["isEnabled", "isOnline"] } as const;
/** A change that was not sent for so long was missed. */
const MISSED_MS = 60_000;

const NOTHING = new ChargerState([]);

/** Three phases and a neutral conductor. */
const TN_THREE_PHASES = 1;
/** Easee's own words (pyeasee): 1 is locked to one phase, 3 to three; evcc sends 1, and 2 for three. */
const PHASES: CloudControl = {
  point: "charger.phases",
  values: [0, 1, 3],
  holdMs: null,
  safeDefault: "as-found",
  confidence: "unverified",
  caveat: "The number counts from the next start of charging on.",
};

function hasPhaseMode(state: ChargerState): boolean {
  return state.number("gridType") === TN_THREE_PHASES && state.phases !== null;
}

/** The mode of the charger for a number of phases; `null` if there is none. */
function phaseModeOf(phases: unknown): number | null {
  const mode = Object.entries(PHASE_MODES).find(([, number]) => number === phases)?.[0];
  return mode === undefined ? null : Number(mode);
}

const POINTS: readonly PointName[] = [
  "charger.state",
  "charger.enabled",
  "charger.maxCurrent",
  "charger.phases",
  "charger.power",
  "charger.current.l1",
  "charger.current.l2",
  "charger.current.l3",
  "charger.voltage.l1",
  "charger.voltage.l2",
  "charger.voltage.l3",
  "charger.energySession",
  "charger.energy",
];

/** Connects one charger. */
export async function openCharger(
  session: CloudSession,
  { id, name }: { readonly id: string; readonly name: string | null },
  signal: AbortSignal,
): Promise<CloudDevice> {
  return new EaseeCharger(session, id, name, await fetchState(session, id, signal));
}

/** One request tells all of a charger. */
async function fetchState(session: CloudSession, id: string, signal: AbortSignal): Promise<ChargerState> {
  const url = `${HOST}/state/${id}/observations`;
  const answer = await session.ask({ method: "GET", url, query: { ids: IDS }, subject: id }, signal);
  const { observations } = parsed(Observations, answer, `GET ${url}`);
  return new ChargerState(fitting(Observation, observations));
}

class EaseeCharger implements CloudDevice {
  readonly identity: CloudDevice["identity"];
  readonly points = POINTS;
  readonly controls: readonly CloudControl[];
  readonly cost = { requests: 1 };
  readonly #session: CloudSession;
  readonly #id: string;
  readonly #mostA: number;
  #state: ChargerState;
  /** A, for when it is let charge again: a limit that is sent to a paused charger would start it. */
  #limitA: number | null = null;
  /** A, to be sent once the vehicle has started at more. */
  #dropToA: number | null = null;
  /** What a command made of it, until the charger shows it. */
  #willBePaused: boolean | null = null;
  #activeUntilMs = Number.NEGATIVE_INFINITY;
  /** What the stream sent since the last read. */
  #pushed = NOTHING;
  /** Of that, what nobody fetched yet. */
  readonly #news = new Set<ObservationName>();
  readonly #queued = new QueuedCommands();
  #wasRefused = false;
  #hasMissed = false;
  #isAlone = true;

  constructor(session: CloudSession, id: string, name: string | null, state: ChargerState) {
    this.#session = session;
    this.#id = id;
    this.#state = state;
    this.#mostA = Math.min(MAX_A, state.number("maxChargerCurrent") || MAX_A);
    this.identity = { manufacturer: "Easee", model: null, serial: id, version: state.text("software"), name };
    this.controls = [
      { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: null, confidence: "documented" },
      {
        point: "charger.maxCurrent",
        range: { min: MIN_A, max: this.#mostA },
        holdMs: null,
        safeDefault: "as-found",
        confidence: "documented",
        caveat: "The charger goes back to its own maximum when the vehicle is unplugged.",
      },
      ...(hasPhaseMode(state) ? [PHASES] : []),
    ];
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const before = this.#state;
    this.#wasRefused = false;
    const asked = await fetchState(this.#session, this.#id, signal);
    const nowMs = this.#session.clock.nowMs();
    this.#hasMissed = isMissed(before, asked, nowMs);
    // An answer may be older than what was pushed meanwhile.
    this.#become(asked.after(this.#pushed));
    this.#pushed = NOTHING;
    this.#news.clear();
    await this.#dropDown(signal);
    return this.#readings();
  }

  hear(news: ChargerNews): void {
    if (news.kind === "observation") this.#observed(news.observation);
    else this.#answered(this.#queued.answered(news));
  }

  streamed(): readonly CloudReading[] {
    if (this.#news.size === 0) return [];
    const readings = changedReadings(this.#readings(), this.#state, this.#news);
    this.#news.clear();
    return readings;
  }

  /** To see what became of a command that the charger refused, or to send the second half of one. */
  wantsRead(): boolean {
    return this.#wasRefused || this.#isToDrop;
  }

  hasMissed(): boolean {
    return this.#hasMissed;
  }

  async write(point: string, value: unknown, signal: AbortSignal): Promise<void> {
    if (point === "charger.enabled" && value === true) await this.#enable(signal);
    else if (point === "charger.enabled" && value === false) await this.#pause(signal);
    else if (point === "charger.maxCurrent" && this.#isAllowed(value)) await this.#limit(value, signal);
    else if (point === "charger.phases" && phaseModeOf(value) !== null)
      await this.#set({ phaseMode: phaseModeOf(value) }, signal);
    else throw new CloudError("refused", `Easee charger: ${point} takes no ${String(value)}`);
    this.#activeUntilMs = this.#session.clock.monotonicMs() + ACTIVE_MS;
  }

  tempo(): Tempo {
    if (this.#session.clock.monotonicMs() < this.#activeUntilMs) return "active";
    return this.#state.isOnline ? "usual" : "idle";
  }

  #readings(): readonly CloudReading[] {
    const limit: CloudReading = {
      point: "charger.maxCurrent",
      value: this.#state.isOnline ? this.#shownLimit() : null,
    };
    return [...stateReadings(this.#state, this.#session.clock.nowMs()), limit];
  }

  #observed(observation: Observation): void {
    const name = nameOf(observation);
    const next = this.#state.with(observation, this.#session.clock);
    if (name === null || next === this.#state) return;
    this.#become(next);
    this.#pushed = this.#pushed.with(observation, this.#session.clock);
    this.#news.add(name);
  }

  #become(state: ChargerState): void {
    this.#state = state;
    if (state.isPaused === this.#willBePaused || this.tempo() !== "active") this.#willBePaused = null;
    if (state.number("mode") === MODE.unplugged) [this.#limitA, this.#dropToA] = [null, null];
  }

  #answered(outcome: Outcome): void {
    if (outcome === "refused") {
      this.#willBePaused = null;
      this.#wasRefused = true;
      this.#session.log.info({}, "Easee charger refused a command");
    } else if (outcome === "somebody-elses" && this.#isAlone) {
      this.#isAlone = false;
      this.#session.log.info({}, "Easee charger is commanded by somebody else, too");
    }
  }

  #isAllowed(value: unknown): value is number {
    return typeof value === "number" && value >= MIN_A && value <= this.#mostA;
  }

  /**
   * Paused, the charger offers 0 A; what it will offer is the limit that it was given, or its own. A limit below what makes
   * the vehicle start is shown while that is awaited: nobody else has changed it.
   */
  #shownLimit(): number | null {
    const dynamicA = this.#state.number("dynamicChargerCurrent");
    const isAwaited = this.#dropToA !== null && dynamicA === this.#startA(this.#dropToA);
    if (isAwaited && this.#state.number("mode") !== MODE.charging) return this.#dropToA;
    if (!this.#state.isPaused) return dynamicA;
    return this.#limitA ?? this.#state.number("maxChargerCurrent");
  }

  get #isPaused(): boolean {
    return this.#willBePaused ?? this.#state.isPaused;
  }

  async #enable(signal: AbortSignal): Promise<void> {
    if (this.#state.flag("isEnabled") === false) await this.#set({ enabled: true }, signal);
    if (AWAITING.includes(this.#state.number("mode"))) await this.#command("start_charging", signal);
    if (!this.#isPaused) return;
    // Resuming lifts the limit to the charger's own, so that a limit is sent instead.
    if (this.#limitA === null) await this.#command("resume_charging", signal);
    else await this.#start(this.#limitA, signal);
    this.#willBePaused = false;
  }

  /** Its authorization stays, as with the button in Easee's app. */
  async #pause(signal: AbortSignal): Promise<void> {
    const limitA = this.#isPaused ? null : this.#state.number("dynamicChargerCurrent");
    await this.#command("pause_charging", signal);
    this.#limitA ??= limitA;
    this.#dropToA = null;
    this.#willBePaused = true;
  }

  async #limit(amperes: number, signal: AbortSignal): Promise<void> {
    this.#limitA = amperes;
    if (this.#isPaused) return;
    if (ABOUT_TO_START.includes(this.#state.number("mode"))) await this.#start(amperes, signal);
    else await this.#set({ dynamicChargerCurrent: amperes }, signal);
  }

  async #start(amperes: number, signal: AbortSignal): Promise<void> {
    this.#dropToA = amperes < STARTS_AT_ONCE_A ? amperes : null;
    await this.#set({ dynamicChargerCurrent: this.#startA(amperes) }, signal);
  }

  #startA(amperes: number): number {
    return Math.min(this.#mostA, Math.max(amperes, STARTS_AT_ONCE_A));
  }

  get #isToDrop(): boolean {
    return this.#dropToA !== null && this.#state.number("mode") === MODE.charging;
  }

  /** The second half of a limit that would have kept the vehicle waiting. What fails is tried again at the next reading. */
  async #dropDown(signal: AbortSignal): Promise<void> {
    if (!this.#isToDrop) return;
    try {
      await this.#set({ dynamicChargerCurrent: this.#dropToA }, signal);
      this.#dropToA = null;
    } catch (cause) {
      if (!(cause instanceof CloudError)) throw cause;
      this.#session.log.debug({ kind: cause.kind }, "Easee charger not lowered to its limit yet");
    }
  }

  /** 200: it is so already. 202: queued; what came of it shows in a later reading, or in a response of the stream. */
  #set(settings: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    return this.#send("settings", settings, signal);
  }

  #command(name: string, signal: AbortSignal): Promise<void> {
    return this.#send(`commands/${name}`, {}, signal);
  }

  async #send(what: string, json: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const url = `${HOST}/api/chargers/${this.#id}/${what}`;
    const outcomes = await this.#queued.send(async () => {
      const asked = { method: "POST", url, body: { json }, purpose: "command", subject: this.#id } as const;
      return (await this.#session.ask(asked, signal)).body;
    });
    for (const outcome of outcomes) this.#answered(outcome);
  }
}

function isMissed(known: ChargerState, asked: ChargerState, nowMs: number): boolean {
  const isOlder = (name: ObservationName): boolean => {
    const [knownMs, askedMs] = [known.atMs(name), asked.atMs(name)];
    return knownMs !== null && askedMs !== null && askedMs > knownMs && askedMs <= nowMs - MISSED_MS;
  };
  return (
    EVENTS.numbers.some((name) => isOlder(name) && known.number(name) !== asked.number(name)) ||
    EVENTS.flags.some((name) => isOlder(name) && known.flag(name) !== asked.flag(name))
  );
}
