import type { ForecastSettings } from "../../config/forecast-problems.ts";
import type { Coordinates } from "../../domain/assets/asset-location.ts";
import { sunElevation } from "../../domain/checks/sun-elevation.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import {
  adjustmentOf,
  type ComparedHour,
  type ForecastAdjustment,
  matchOfTwoWeeks,
} from "../../domain/forecast/forecast-adjustment.ts";
import type { SourceProblem } from "../../domain/source-problem.ts";
import { endOf, valueAt } from "../../domain/statistics/power-series.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";
import type { Store } from "../../store/store.ts";
import type { ForecastFinding, ForecastState, Forecasts, PanelSlot } from "../contracts/energy/forecast.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Locations } from "../contracts/places.ts";
import type { EnginePart } from "../engine-part.ts";
import { ExternalHttpClient } from "../external-http/external-http-client.ts";
import { NO_CLOCK, SourceProblemState } from "../external-http/source-problem-state.ts";
import { ForecastMemory } from "./forecast-memory.ts";
import { ForecastMismatch } from "./forecast-mismatch.ts";
import { measuredProduction } from "./measured-production.ts";
import { type Panels, panelsOf } from "./panels.ts";
import { ForecastQuota } from "./quota.ts";
import { type ForecastFailure, requestForecast } from "./request-forecast.ts";

/** After a failure; with random jitter, so that gateways do not retry at the same moment. */
const BACKOFF = { floorMs: MINUTE_MS, ceilingMs: 30 * MINUTE_MS } as const;
/** Maximum random delay of a fetch, as sources ask for. */
const JITTER_MS = 10 * MINUTE_MS;
/** Maximum random delay of the first fetch: after a power cut, all gateways of a street start at once. */
const START_JITTER_MS = 60_000;
/** Maximum interval between two checks, because the wall clock may step. */
const CHECK_MS = 60_000;
/** The rest of the quota is for retries, and for other programs with this address or key. */
const QUOTA_SHARE = 0.8;
const W_PER_KW = 1_000;
/** What was measured never raises the forecast above this share of the peak power: cold modules in the sun between clouds. */
const MOST_OF_PEAK = 1.2;
const QUARTER_MS = 15 * MINUTE_MS;
/** Below this elevation of the sun, degrees, panels produce nothing. */
const DARK_BELOW = -3;

const NO_PLACE = "the place of the panels is unknown: set forecast.place or site.place, or create a location";

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

/** The configured source with its checked settings. */
export interface ForecastUse {
  readonly source: ForecastSource;
  readonly settings: ForecastSettings;
}

/** Fetches the forecast of the house's panels as often as the quota allows, and keeps it over restarts and outages. */
export class ForecastService implements Forecasts, EnginePart {
  readonly #context: Context;
  readonly #use: ForecastUse;
  readonly #quota: ForecastQuota;
  readonly #memory: ForecastMemory;
  readonly #wake: WakeSignal;
  readonly #problem: SourceProblemState;
  readonly #limitW: number;
  readonly #adjustedLimitW: number;
  readonly #mismatch: ForecastMismatch;
  readonly #listeners = new Listeners<[]>();
  #adjustment: ForecastAdjustment = adjustmentOf([]);
  #comparedAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #jitterMs: number;
  /** The earliest time of the next request, monotonic ms. */
  #notBeforeMs: number;

  constructor(context: Context, use: ForecastUse) {
    const { clock, random, store } = context;
    this.#context = context;
    this.#use = use;
    this.#quota = new ForecastQuota(context, use.source);
    this.#memory = new ForecastMemory(store);
    this.#wake = new WakeSignal(clock);
    this.#problem = new SourceProblemState(clock);
    this.#limitW = (use.settings.inverterKw ?? Number.POSITIVE_INFINITY) * W_PER_KW;
    const peakKw = use.settings.planes.reduce((sum, plane) => sum + plane.peakKw, 0);
    // Solcast knows the peak power, and we do not.
    const mostW = peakKw > 0 ? MOST_OF_PEAK * peakKw * W_PER_KW : Number.POSITIVE_INFINITY;
    this.#adjustedLimitW = Math.min(this.#limitW, mostW);
    this.#mismatch = new ForecastMismatch(this.#memory, context.log);
    this.#jitterMs = random.next() * JITTER_MS;
    this.#notBeforeMs = clock.monotonicMs() + random.next() * START_JITTER_MS;
    this.#panels();
  }

  /** Subscribes to changes of the locations. */
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
      problem: this.#problem.problem,
      adjustment: this.#adjustment,
    };
  }

  between(fromMs: number, toMs: number): readonly PanelSlot[] {
    return this.#memory.slots(fromMs, toMs, { factor: this.#adjustment.factor, limitW: this.#adjustedLimitW });
  }

  finding(): ForecastFinding | null {
    return this.#mismatch.finding();
  }

  dismiss(): Promise<ForecastFinding> {
    return this.#mismatch.dismiss();
  }

  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    using client = new ExternalHttpClient(this.#context);
    while (!signal.aborted) {
      const waitMs = await this.#step(client, signal);
      await this.#wake.wait(Math.min(CHECK_MS, Math.max(1_000, waitMs ?? CHECK_MS)), signal).catch(() => undefined);
    }
  }

  /** Does what is due. Returns the time until the next fetch, ms; `null` if none is planned. */
  async #step(client: ExternalHttpClient, signal: AbortSignal): Promise<number | null> {
    try {
      await this.#compare();
      const panels = this.#panels();
      const obstacle = this.#obstacle(panels);
      if (obstacle !== null) this.#report(obstacle);
      else this.#problem.clearObstacle();
      if (obstacle !== null || panels === null) return null;
      if ((this.#waitMs(panels) ?? 0) <= 0) await this.#fetch(panels, client, signal);
      return this.#waitMs(panels);
    } catch (err) {
      if (signal.aborted) return null;
      this.#context.log.error({ err }, "forecast update failed; will retry");
      this.#backOff();
      return null;
    }
  }

  /** Returns the problem that prevents all requests; `null` if there is none. */
  #obstacle(panels: Panels | null): Pick<SourceProblem, "kind" | "text"> | null {
    if (panels === null) return { kind: "not-set-up", text: NO_PLACE };
    if (this.#context.clock.quality() === "unset") return { kind: "clock-not-set", text: NO_CLOCK };
    const refused = this.#quota.refused(panels.setup);
    if (refused === null) return null;
    const { name } = this.#use.source;
    return {
      kind: "refused",
      text: `${name} answered ${refused.status}: no further requests until the configuration changes`,
    };
  }

  /** Returns the panels, and drops the forecast if they changed; `null` if their place is unknown. */
  #panels(): Panels | null {
    const { settings, source } = this.#use;
    const { locations, owner, sitePlace } = this.#context;
    const place = settings.place ?? sitePlace ?? locations.list(owner).at(-1)?.location ?? null;
    const at = place === null ? null : { latitude: place.latitude, longitude: place.longitude };
    const panels = panelsOf(source, settings, at);
    if (panels !== null && this.#memory.load(panels.hash)) this.#comparedAtMs = Number.NEGATIVE_INFINITY;
    return panels;
  }

  /** Returns the time until the next fetch, ms; `null` if a problem prevents it. */
  #waitMs(panels: Panels | null): number | null {
    const { clock } = this.#context;
    if (panels === null || this.#obstacle(panels) !== null) return null;
    const { fetchedAtMs } = this.#memory;
    const count = panels.requests.length;
    const { limit, everyMs } = this.#use.source;
    const paceMs = Math.max(everyMs, (limit.windowMs * count) / (limit.requests * QUOTA_SHARE)) + this.#jitterMs;
    // A fetch in the future was made while the clock was wrong.
    const isDateValid = fetchedAtMs !== null && fetchedAtMs <= clock.nowMs();
    const ageMs = isDateValid ? clock.nowMs() - fetchedAtMs : Number.POSITIVE_INFINITY;
    const pauseMs = this.#notBeforeMs - clock.monotonicMs();
    return Math.max(paceMs - ageMs, pauseMs, this.#quota.waitMs(count));
  }

  async #fetch(panels: Panels, client: ExternalHttpClient, signal: AbortSignal): Promise<void> {
    const { requests } = panels;
    const parts = { client, source: this.#use.source, nowMs: () => this.#context.clock.nowMs() };
    await this.#quota.spend(requests.length);
    const answers: (readonly ForecastSlot[])[] = [];
    for (const [index, request] of requests.entries()) {
      const outcome = await requestForecast(parts, request, signal);
      if ("failure" in outcome) {
        this.#quota.refund(requests.length - index - (outcome.failure.wasSent ? 1 : 0));
        return await this.#failed(outcome.failure, panels);
      }
      answers.push(outcome.slots);
    }
    this.#store(answers, panels);
  }

  #store(answers: readonly (readonly ForecastSlot[])[], panels: Panels): void {
    const { clock, random, log } = this.#context;
    const nowMs = clock.nowMs();
    const night = polarNight(nowMs, panels.place);
    const isStored = [answers, [night]].some((slots) => this.#memory.store(slots, panels.hash, this.#limitW, nowMs));
    if (!isStored) {
      this.#backOff();
      this.#report({ kind: "empty", text: `${this.#use.source.name} answered no forecast for the coming hours` });
      return;
    }
    this.#failures = 0;
    this.#jitterMs = random.next() * JITTER_MS;
    if (this.#problem.clear()) log.info({ source: this.#use.source.id }, "forecast fetched again");
    this.#changed();
  }

  async #failed(failure: ForecastFailure, panels: Panels): Promise<void> {
    const { kind, text, status, retryAfterMs } = failure;
    if (kind === "refused" && status !== null) {
      await this.#quota.refuse(panels.setup, status);
    } else {
      this.#backOff();
      if (retryAfterMs !== null) await this.#quota.pauseUntil(this.#context.clock.nowMs() + retryAfterMs);
    }
    this.#report({ kind, text });
  }

  #backOff(): void {
    const { clock, random } = this.#context;
    this.#failures += 1;
    this.#notBeforeMs = clock.monotonicMs() + backoffMs(this.#failures, BACKOFF, random);
  }

  /** Sets the problem, and logs it if its kind is new. */
  #report(problem: Pick<SourceProblem, "kind" | "text">): void {
    if (!this.#problem.set(problem)) return;
    const { log } = this.#context;
    const fields = { source: this.#use.source.id, problem: problem.text };
    if (problem.kind === "refused" || problem.kind === "not-set-up")
      log.error(fields, "cannot fetch the forecast; will retry when the configuration changes");
    else log.warn(fields, "cannot fetch the forecast; the last one is kept");
  }

  /** Compares the forecast with the production once an hour. */
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
      const curtailed = store.get("curtailed-hours", "site")?.startsMs ?? [];
      const compared = [...measured].flatMap(([atMs, measuredW]): ComparedHour[] => {
        const forecastW = valueAt(past, atMs);
        return forecastW === null || curtailed.includes(atMs) ? [] : [{ atMs, forecastW, measuredW }];
      });
      this.#adjustment = adjustmentOf(compared);
      this.#mismatch.update(matchOfTwoWeeks(compared, hourMs), this.#adjustment, nowMs);
      this.#changed();
    } catch (err) {
      log.warn({ err }, "cannot compare the forecast with the production; the last adjustment is kept");
    }
  }

  #changed(): void {
    this.#listeners.emit();
  }
}

/**
 * Returns the next 24 hours with no production if the sun does not rise in them, because some sources have no forecast
 * then; else nothing, so that an empty answer is a failure.
 */
function polarNight(nowMs: number, place: Coordinates | null): readonly ForecastSlot[] {
  if (place === null) return [];
  const fromMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
  for (let atMs = fromMs; atMs <= fromMs + DAY_MS; atMs += QUARTER_MS) {
    if (sunElevation(atMs, place) >= DARK_BELOW) return [];
  }
  return [{ fromMs, toMs: fromMs + DAY_MS, powerW: 0, p10W: null, p90W: null }];
}
