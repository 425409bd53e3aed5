/** A simulated home with panels, the twins of the forecast services, and the engine's forecast feature. */
import { FORECAST_SOURCES } from "../../../adapters/forecasts/sources.ts";
import { ForecastConfig } from "../../../src/config/forecast-config.ts";
import type { ForecastState, Forecasts, PanelSlot } from "../../../src/engine/contracts/energy/forecast.ts";
import type { AssetEntry } from "../../../src/engine/contracts/engine.ts";
import type { LocationEntry } from "../../../src/engine/contracts/places.ts";
import { createForecasts } from "../../../src/engine/forecast/create-forecasts.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { type SimProcess, World } from "../../../src/testing/world.ts";
import type { CloudTwin } from "../../twins/clouds/cloud-twin.ts";
import { ForecastSolarTwin } from "../../twins/forecasts/forecast-solar-twin.ts";
import { OpenMeteoTwin } from "../../twins/forecasts/open-meteo-twin.ts";
import { SolcastTwin } from "../../twins/forecasts/solcast-twin.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const PLACE = { latitude: 52.52, longitude: 13.405 };
export const SOUTH_ROOF = { tilt: 30, azimuth: 180, peakKw: 10 };
export const SITE_IDS = ["aaaa-1111", "bbbb-2222"] as const;

const LIMIT_MS = 60_000;

/** Start time and place of the home. */
export interface ForecastHomeOptions {
  readonly startMs?: number;
  readonly site?: { readonly latitude: number; readonly longitude: number };
}

export class ForecastHome {
  readonly world: World;
  readonly disk = new MemoryDisk();
  readonly forecastSolar: ForecastSolarTwin;
  readonly openMeteo: OpenMeteoTwin;
  readonly solcast: SolcastTwin;
  readonly inverters: AssetEntry<"inverter">[] = [];
  /** The owner's locations, newest first. */
  readonly locations: LocationEntry[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #options: ForecastHomeOptions;
  /** The configuration `forecast`; `undefined` if none is configured. */
  settings: object | undefined;

  constructor(settings: object | undefined, options: ForecastHomeOptions = {}) {
    this.settings = settings;
    this.#options = options;
    this.world = new World({ seed: 1, ...(options.startMs !== undefined && { startMs: options.startMs }) });
    const { clock } = this.world;
    this.forecastSolar = new ForecastSolarTwin(clock);
    this.openMeteo = new OpenMeteoTwin(clock);
    this.solcast = new SolcastTwin(clock);
    for (const id of SITE_IDS) this.solcast.sites.set(id, { ...PLACE, tilt: 30, southAzimuth: 0, capacityKw: 5 });
    this.online(true);
  }

  get nowMs(): number {
    return this.world.clock.nowMs();
  }

  /** With `false`, no host name of the services resolves any more. */
  online(isOnline: boolean): void {
    for (const [index, twin] of this.#twins.entries()) {
      if (isOnline) twin.join(this.world.web, `93.184.${index + 1}.10`);
      else for (const host of twin.hosts) this.world.web.name(host, []);
    }
  }

  moveTo(...locations: LocationEntry[]): void {
    this.locations.splice(0, this.locations.length, ...locations);
    for (const listener of this.#listeners) listener();
  }

  async start(): Promise<RunningForecast> {
    const process = this.world.boot("gateway", this.disk);
    const { clock, random, log, disk, http } = process.platform;
    const store = await this.world.clock.resolve(openStore({ disk, clock, random, log }), LIMIT_MS);
    const forecast = this.settings === undefined ? {} : { forecast: ForecastConfig.parse(this.settings) };
    const { site } = this.#options;
    const place = site === undefined ? {} : { place: site };
    const config = {
      site: { name: "Home", owner: "home", timezone: "Europe/Berlin", ...place },
      devices: [],
      ...forecast,
    };
    const feature = createForecasts(
      {
        clock,
        random,
        log,
        store,
        config,
        assets: { get: () => null, list: () => this.inverters as never[], observe: () => NOTHING },
        forecast: { http, sources: FORECAST_SOURCES },
      },
      {
        list: () => this.locations,
        observe: (listener) => {
          this.#listeners.add(() => listener("", null));
          return NOTHING;
        },
      },
    );
    const end = new AbortController();
    feature.connect?.();
    const running = feature.loop?.run(end.signal);
    const close = async (): Promise<void> => {
      end.abort();
      await running;
      await store[Symbol.asyncDispose]();
    };
    return new RunningForecast({ home: this, process, store, forecasts: feature.service, close });
  }

  get #twins(): readonly CloudTwin[] {
    return [this.forecastSolar, this.openMeteo, this.solcast];
  }
}

/** One run of the gateway. */
export class RunningForecast {
  readonly forecasts: Forecasts;
  readonly process: SimProcess;
  readonly store: Store;
  readonly #home: ForecastHome;
  readonly #close: () => Promise<void>;

  constructor(parts: {
    readonly home: ForecastHome;
    readonly process: SimProcess;
    readonly store: Store;
    readonly forecasts: Forecasts;
    readonly close: () => Promise<void>;
  }) {
    this.forecasts = parts.forecasts;
    this.process = parts.process;
    this.store = parts.store;
    this.#home = parts.home;
    this.#close = parts.close;
  }

  get state(): ForecastState {
    return this.forecasts.state();
  }

  /** Returns the known slots of the next two days. */
  ahead(): readonly PanelSlot[] {
    return this.forecasts.between(this.#home.nowMs, this.#home.nowMs + 2 * DAY_MS);
  }

  pass(ms: number): Promise<void> {
    return this.#home.world.clock.advance(ms);
  }

  /** Ends the run as a power cut does. */
  kill(): void {
    this.process.kill();
    this.#home.disk.crash();
  }

  close(): Promise<void> {
    return this.#home.world.clock.resolve(this.#close(), LIMIT_MS);
  }
}

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

/** Returns the time of each request, monotonic ms. */
export function requestTimes(twin: CloudTwin): readonly number[] {
  return twin.asked.map(({ request }) => request.atMs);
}
