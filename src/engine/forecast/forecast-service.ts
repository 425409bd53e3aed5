import type { ForecastSettings } from "../../config/forecast-problems.ts";
import type { Coordinates } from "../../domain/assets/whereabouts.ts";
import { HOUR_MS } from "../../domain/duration.ts";
import { adjustmentOf, type ComparedHour, type ForecastAdjustment } from "../../domain/forecast/forecast-adjustment.ts";
import type { SourceProblem } from "../../domain/source-problem.ts";
import { endOf, valueAt } from "../../domain/statistics/power-series.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";
import type { Store } from "../../store/store.ts";
import type { Assets } from "../contracts/engine.ts";
import type { ForecastState, Forecasts, PanelSlot } from "../contracts/forecast.ts";
import type { Locations } from "../contracts/places.ts";
import type { EnginePart } from "../engine-part.ts";
import { OutsideClient } from "../outside/outside-client.ts";
import { NO_CLOCK, SourceTrouble } from "../outside/source-trouble.ts";
import { askForecast, type ForecastFailure } from "./ask-forecast.ts";
import { ForecastMemory } from "./forecast-memory.ts";
import { measuredProduction } from "./measured-production.ts";
import { type Panels, panelsOf } from "./panels.ts";
import { polarNight } from "./polar-night.ts";
import { ForecastQuota } from "./quota.ts";

/** After a failure; less by chance, so that houses do not come back in step. */
const BACKOFF = { floorMs: 60_000, ceilingMs: 30 * 60_000 } as const;
/** A fetch is later than it could be by up to this, by chance, ms: sources ask for that. */
const JITTER_MS = 10 * 60_000;
/** The first one after a start, too: when the power comes back to a street, all its gateways start. */
const START_JITTER_MS = 60_000;
/** The wall clock may step, and a location may come: it is looked at this often anyway, ms. */
const LOOK_MS = 60_000;
/** Of the quota; the rest is for who else asks with this address or key, and for tries after failures. */
const QUOTA_SHARE = 0.8;
const W_PER_KW = 1_000;

const NO_PLACE = "nobody says where the panels are: set forecast.place or site.place, or make a location";

interface Context {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly http: Http;
  readonly owner: string;
  readonly sitePlace: Coordinates | null;
  readonly locations: Pick<Locations, "list" | "observe">;
}

/** The source at work; the settings fit it. */
export interface ForecastUse {
  readonly source: ForecastSource;
  readonly settings: ForecastSettings;
}

/** Keeps the forecast of the house's panels: fetched as often as the quota lets, known over restarts and lost internet. */
export class ForecastService implements Forecasts, EnginePart {
  readonly #context: Context;
  readonly #use: ForecastUse;
  readonly #quota: ForecastQuota;
  readonly #memory: ForecastMemory;
  readonly #wake: WakeSignal;
  readonly #trouble: SourceTrouble;
  readonly #limitW: number;
  readonly #listeners = new Listeners<[]>();
  #adjustment: ForecastAdjustment = adjustmentOf([]);
  #comparedAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #jitterMs: number;
  /** Monotonic ms before which nothing is asked. */
  #notBeforeMs: number;

  constructor(context: Context, use: ForecastUse) {
    const { clock, random, store } = context;
    this.#context = context;
    this.#use = use;
    this.#quota = new ForecastQuota(context, use.source);
    this.#memory = new ForecastMemory(store);
    this.#wake = new WakeSignal(clock);
    this.#trouble = new SourceTrouble(clock);
    this.#limitW = (use.settings.inverterKw ?? Number.POSITIVE_INFINITY) * W_PER_KW;
    this.#jitterMs = random.next() * JITTER_MS;
    this.#notBeforeMs = clock.monotonicMs() + random.next() * START_JITTER_MS;
    this.#panels();
  }

  /** Follows the locations, for as long as this lives. */
  connect(): void {
    this.#context.locations.observe(() => this.#wake.notify());
  }

  state(): ForecastState {
    const { id, name, credit } = this.#use.source;
    const { clock } = this.#context;
    const waitMs = this.#waitMs(this.#panels());
    return {
      source: { id, name, credit },
      fetchedAtMs: this.#memory.fetchedAtMs,
      knownUntilMs: this.#memory.knownUntilMs,
      nextFetchMs: waitMs === null ? null : Math.ceil(clock.nowMs() + Math.max(0, waitMs)),
      problem: this.#trouble.problem,
      adjustment: this.#adjustment,
    };
  }

  between(fromMs: number, toMs: number): readonly PanelSlot[] {
    return this.#memory.slots(fromMs, toMs, { factor: this.#adjustment.factor, limitW: this.#limitW });
  }

  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    using client = new OutsideClient(this.#context);
    while (!signal.aborted) {
      const waitMs = await this.#turn(client, signal);
      await this.#wake.wait(Math.min(LOOK_MS, Math.max(1_000, waitMs ?? LOOK_MS)), signal).catch(() => undefined);
    }
  }

  /** How long until something is due, ms; null when nothing is. */
  async #turn(client: OutsideClient, signal: AbortSignal): Promise<number | null> {
    try {
      await this.#compare();
      const panels = this.#panels();
      const obstacle = this.#obstacle(panels);
      if (obstacle !== null) this.#tell(obstacle);
      else this.#trouble.removeObstacle();
      if (obstacle !== null || panels === null) return null;
      if ((this.#waitMs(panels) ?? 0) <= 0) await this.#fetch(panels, client, signal);
      return this.#waitMs(panels);
    } catch (err) {
      if (signal.aborted) return null;
      this.#context.log.error({ err }, "the forecast is not kept");
      this.#backOff();
      return null;
    }
  }

  /** What keeps the source from being asked at all; null: nothing. */
  #obstacle(panels: Panels | null): Pick<SourceProblem, "kind" | "text"> | null {
    if (panels === null) return { kind: "not-set-up", text: NO_PLACE };
    if (this.#context.clock.quality() === "unset") return { kind: "clock-not-set", text: NO_CLOCK };
    const refused = this.#quota.refused(panels.setup);
    if (refused === null) return null;
    const { name } = this.#use.source;
    return {
      kind: "refused",
      text: `${name} answered ${refused.status}: it is not asked until the configuration changes`,
    };
  }

  /** What is known is always that of the panels as they are. Null: nobody knows where they are. */
  #panels(): Panels | null {
    const { settings, source } = this.#use;
    const { locations, owner, sitePlace } = this.#context;
    const place = settings.place ?? sitePlace ?? locations.list(owner).at(-1)?.location ?? null;
    const at = place === null ? null : { latitude: place.latitude, longitude: place.longitude };
    const panels = panelsOf(source, settings, at);
    if (panels !== null && this.#memory.recall(panels.hash)) this.#comparedAtMs = Number.NEGATIVE_INFINITY;
    return panels;
  }

  /** How long until the source is to be asked, ms; null: not before something changes. */
  #waitMs(panels: Panels | null): number | null {
    const { clock } = this.#context;
    if (panels === null || this.#obstacle(panels) !== null) return null;
    const { fetchedAtMs } = this.#memory;
    const requests = panels.askings.length;
    const { limit, everyMs } = this.#use.source;
    const paceMs = Math.max(everyMs, (limit.windowMs * requests) / (limit.requests * QUOTA_SHARE)) + this.#jitterMs;
    // One of the future was fetched while the clock was wrong.
    const isDated = fetchedAtMs !== null && fetchedAtMs <= clock.nowMs();
    const ageMs = isDated ? clock.nowMs() - fetchedAtMs : Number.POSITIVE_INFINITY;
    const restMs = this.#notBeforeMs - clock.monotonicMs();
    return Math.max(paceMs - ageMs, restMs, this.#quota.waitMs(requests));
  }

  async #fetch(panels: Panels, client: OutsideClient, signal: AbortSignal): Promise<void> {
    const { askings } = panels;
    const asked = { client, source: this.#use.source, nowMs: () => this.#context.clock.nowMs() };
    await this.#quota.spend(askings.length);
    const told: (readonly ForecastSlot[])[] = [];
    for (const [index, asking] of askings.entries()) {
      const outcome = await askForecast(asked, asking, signal);
      if ("failure" in outcome) {
        this.#quota.giveBack(askings.length - index - (outcome.failure.wasSent ? 1 : 0));
        return await this.#failed(outcome.failure, panels);
      }
      told.push(outcome.slots);
    }
    this.#take(told, panels);
  }

  #take(told: readonly (readonly ForecastSlot[])[], panels: Panels): void {
    const { clock, random, log } = this.#context;
    const nowMs = clock.nowMs();
    const night = polarNight(nowMs, panels.place);
    const isTaken = [told, [night]].some((slots) => this.#memory.take(slots, panels.hash, this.#limitW, nowMs));
    if (!isTaken) {
      this.#backOff();
      this.#tell({ kind: "empty", text: `${this.#use.source.name} told nothing of the hours to come` });
      return;
    }
    this.#failures = 0;
    this.#jitterMs = random.next() * JITTER_MS;
    if (this.#trouble.end()) log.info({ source: this.#use.source.id }, "forecast fetched again");
    this.#changed();
  }

  async #failed(failure: ForecastFailure, panels: Panels): Promise<void> {
    const { kind, text, status, retryAfterMs } = failure;
    if (kind === "refused" && status !== null) {
      await this.#quota.refuse(panels.setup, status);
    } else {
      this.#backOff();
      if (retryAfterMs !== null) await this.#quota.rest(this.#context.clock.nowMs() + retryAfterMs);
    }
    this.#tell({ kind, text });
  }

  #backOff(): void {
    const { clock, random } = this.#context;
    this.#failures += 1;
    this.#notBeforeMs = clock.monotonicMs() + backoffMs(this.#failures, BACKOFF, random);
  }

  /** Once a kind of problem, in the log too. */
  #tell(problem: Pick<SourceProblem, "kind" | "text">): void {
    if (!this.#trouble.take(problem)) return;
    const { log } = this.#context;
    const fields = { source: this.#use.source.id, problem: problem.text };
    if (problem.kind === "refused" || problem.kind === "not-set-up") log.error(fields, "no forecast");
    else log.warn(fields, "forecast not renewed");
  }

  /** Compares with what was produced, once an hour. */
  async #compare(): Promise<void> {
    const { clock, assets, store, owner, log } = this.#context;
    const nowMs = clock.nowMs();
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (this.#comparedAtMs === hourMs) return;
    this.#comparedAtMs = hourMs;
    const past = this.#memory.past(nowMs);
    const place = this.#panels()?.place ?? null;
    try {
      const span = { fromMs: past.startMs, toMs: endOf(past) };
      const measured = await measuredProduction({ assets, store, owner }, place, span);
      const compared = [...measured].flatMap(([atMs, measuredW]): ComparedHour[] => {
        const forecastW = valueAt(past, atMs);
        return forecastW === null ? [] : [{ atMs, forecastW, measuredW }];
      });
      this.#adjustment = adjustmentOf(compared);
      this.#changed();
    } catch (err) {
      log.warn({ err }, "the forecast is not compared with the production");
    }
  }

  #changed(): void {
    this.#listeners.emit();
  }
}
