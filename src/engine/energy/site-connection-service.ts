/** The connection to the grid: the settings of the file, those of the API, and the assets that they name. */
import { panelsOf } from "../../config/site-problems.ts";
import type { AssetKind } from "../../domain/assets/asset.ts";
import { measured } from "../../domain/checks/measured-text.ts";
import type { MeasuredKey } from "../../domain/checks/texts/en-us.ts";
import { hasNoImportLimit, resolveSite, type SiteAsset } from "../../domain/energy/site/resolve-site.ts";
import type { SiteConnection } from "../../domain/energy/site/site-connection.ts";
import { type SiteMistake, siteMistakes, siteWarnings } from "../../domain/energy/site/site-mistakes.ts";
import {
  SITE_SETTINGS,
  type SiteSetting,
  type SiteSettings,
  withoutMissing,
} from "../../domain/energy/site/site-settings.ts";
import { problem } from "../../domain/problem.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { SiteRecord } from "../../store/records/energy.ts";
import type { Store } from "../../store/store.ts";
import type { SettingOrigin, SiteChange, SiteConnections, SiteNote, SiteState } from "../contracts/energy/energy.ts";
import type { Assets } from "../contracts/engine.ts";
import type { EngineConfig } from "../engine-part.ts";
import type { Feature } from "../feature.ts";

const KEY = "site";

/** The parts of the engine that the connection uses. */
export interface SiteNeeds {
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  readonly store: Pick<Store, "all" | "get" | "commit" | "commitAlong">;
  readonly assets: Pick<Assets, "observe">;
  readonly config: EngineConfig;
}

export class SiteConnectionService implements SiteConnections {
  readonly #context: SiteNeeds;
  readonly #log: Log;
  readonly #file: SiteSettings;
  readonly #forecastKw: number | null;
  readonly #startedAtMs: number;
  readonly #listeners = new Listeners<[SiteConnection]>();
  readonly #assetIds = new Set<string>();
  /** Settings that apply and are not on disk yet; `null` if all are. */
  #pending: SiteRecord | null = null;
  #current: SiteConnection | null = null;

  constructor(context: SiteNeeds) {
    this.#context = context;
    this.#log = context.log.child({ part: "site" });
    this.#file = context.config.site.connection ?? {};
    this.#forecastKw = panelsOf(context.config.forecast) ?? this.#record()?.forecastKw ?? null;
    this.#startedAtMs = context.clock.nowMs();
  }

  /** Subscribes to assets, because settings name devices whose assets come later, and logs the warnings. */
  connect(): void {
    this.#context.assets.observe((_kind, id, asset) => {
      const isNew = asset !== null && !this.#assetIds.has(id);
      if (!isNew && asset !== null) return;
      if (asset === null) this.#assetIds.delete(id);
      else this.#assetIds.add(id);
      this.#changed();
      if (this.#pending === null) this.#forgetDismissed();
    });
    const record = this.#record();
    if (record !== null && (record.forecastKw ?? null) !== this.#forecastKw) {
      const put = { ...record, forecastKw: this.#forecastKw };
      this.#context.store.commitAlong([{ table: "site", key: KEY, put }]);
    }
    for (const { path, problem: text } of this.state().warnings) {
      this.#log.warn({ setting: path.join(".") }, `site connection: ${text}`);
    }
    for (const { id, text } of this.notes()) this.#log.info({ finding: id }, text);
  }

  current(): SiteConnection {
    this.#current ??= resolveSite(this.#settings(), {
      assetsOf: (deviceId) => this.#assetsOf(deviceId),
      panelsKw: this.#forecastKw,
    });
    return this.#current;
  }

  observe(listener: (site: SiteConnection) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  panelsKw(): number | null {
    return this.#settings().panelsKw ?? this.#forecastKw;
  }

  state(): SiteState {
    const settings = this.#settings();
    const origins = Object.fromEntries(SITE_SETTINGS.map((name) => [name, this.#originOf(name)])) as Record<
      SiteSetting,
      SettingOrigin
    >;
    const assets = this.#context.store.all("asset");
    const having = (of: AssetKind): Set<string> =>
      new Set(assets.flatMap(({ kind, deviceId }) => (kind === of ? [deviceId] : [])));
    const seen = new Set(assets.map(({ deviceId }) => deviceId));
    const inverters = [...having("inverter")];
    const warnings = siteWarnings(settings, { inverters, meterless: [...seen.difference(having("meter"))] });
    return { settings, origins, warnings, changedAtMs: this.#record()?.changedAtMs ?? null };
  }

  async update(change: SiteChange): Promise<SiteState> {
    const settings = this.#checked(change);
    const changedAtMs = this.#context.clock.nowMs();
    await this.#store({ settings, changedAtMs, dismissed: this.#dismissed(), forecastKw: this.#forecastKw });
    return this.state();
  }

  check(change: SiteChange): void {
    this.#checked(change);
  }

  /** Returns the settings to keep after a change. Throws `bad-request` and `conflict`. */
  #checked(change: SiteChange): SiteSettings {
    for (const name of SITE_SETTINGS) {
      const value = change[name];
      if (value === undefined || this.#file[name] === undefined) continue;
      if (JSON.stringify(value) === JSON.stringify(this.#file[name])) continue;
      const detail = `site.connection.${name} is set in the configuration file; change it there, or remove it there first.`;
      throw problem("conflict", detail);
    }
    // What is left out stays, also where it is there as undefined.
    const changed = Object.entries(change).filter(([, value]) => value !== undefined);
    const stored = { ...this.#stored(), ...Object.fromEntries(changed) };
    const kept = Object.fromEntries(
      Object.entries(stored).filter(
        ([name, value]) => value !== null && value !== undefined && !Object.hasOwn(this.#file, name),
      ),
    ) as SiteSettings;
    this.#requireValid({ ...kept, ...this.#present(this.#file) });
    return kept;
  }

  notes(): readonly SiteNote[] {
    const site = this.current();
    const dismissed = this.#dismissed();
    const sinceMs = this.#record()?.changedAtMs ?? this.#startedAtMs;
    const note = (id: SiteNote["id"], key: MeasuredKey): SiteNote => {
      const { measured: text, text: words } = measured(key, {});
      return { id, text, words, state: dismissed.includes(id) ? "DISMISSED" : "OPEN", sinceMs };
    };
    return [
      ...(hasNoImportLimit(site) ? [note("site-no-import-limit", "noImportLimit")] : []),
      ...(this.#lacksMeter(site) ? [note("site-no-grid-meter", "noGridMeter")] : []),
    ];
  }

  /** True if devices draw or give power that limits are about, and no meter says how much of them is used. */
  #lacksMeter(site: SiteConnection): boolean {
    const assets = this.#context.store.all("asset");
    const has = (...kinds: readonly AssetKind[]): boolean => assets.some(({ kind }) => kinds.includes(kind));
    const isLimited =
      (!hasNoImportLimit(site) && has("charger", "battery")) || (site.exportKw !== null && has("inverter", "battery"));
    const isAtGrid = (deviceId: string): boolean => site.meterUses?.has(deviceId) !== true;
    const hasMeter = assets.some(({ kind, deviceId }) => kind === "meter" && isAtGrid(deviceId));
    return isLimited && site.gridMeterId === null && !hasMeter;
  }

  async dismiss(id: string): Promise<SiteNote> {
    const found = this.notes().find((each) => each.id === id);
    if (found === undefined) throw problem("not-found", `There is no finding "${id}".`);
    const record = this.#record();
    const dismissed = [...new Set([...this.#dismissed(), id])];
    const changedAtMs = record?.changedAtMs ?? null;
    const put = { settings: record?.settings ?? {}, changedAtMs, dismissed, forecastKw: this.#forecastKw };
    await this.#context.store.commit([{ table: "site", key: KEY, put }], []);
    return { ...found, state: "DISMISSED" };
  }

  /** A finding that is there no more is dismissed no more: it is news when it comes again. */
  #stillDismissed(): readonly string[] {
    const ids: readonly string[] = this.notes().map(({ id }) => id);
    return this.#dismissed().filter((id) => ids.includes(id));
  }

  #forgetDismissed(): void {
    const record = this.#record();
    const dismissed = this.#stillDismissed();
    if (record === null || dismissed.length === record.dismissed.length) return;
    this.#context.store.commitAlong([{ table: "site", key: KEY, put: { ...record, dismissed } }]);
  }

  /** Applies settings at once, and stores them. If the disk refuses, they apply until the next start. */
  async #store(changed: SiteRecord): Promise<void> {
    this.#pending = changed;
    this.#current = null;
    const record = { ...changed, dismissed: this.#stillDismissed() };
    this.#pending = record;
    this.#changed();
    const { settings, origins } = this.state();
    const entry = { event: "local:energy:site-updated", payload: { site: { connection: settings, origins } } };
    try {
      await this.#context.store.commit([{ table: "site", key: KEY, put: record }], [entry], "urgent");
    } catch (err) {
      this.#log.error({ err }, "cannot store the site connection; it applies until the next start");
      const detail = "The settings apply, but cannot be stored and will be lost at the next start. Send them again.";
      throw problem("service-unavailable", detail, { cause: err });
    }
    if (this.#pending === record) this.#pending = null;
    this.#log.info({ settings }, "site connection changed");
  }

  #changed(): void {
    this.#current = null;
    this.#listeners.emit(this.current());
  }

  #record(): SiteRecord | null {
    return this.#pending ?? this.#context.store.get("site", KEY);
  }

  #dismissed(): readonly string[] {
    return this.#record()?.dismissed ?? [];
  }

  /** What the file sets stays the master. */
  #settings(): SiteSettings {
    return { ...this.#stored(), ...this.#file };
  }

  /** What the API has set, without what it says about devices that were removed since. */
  #stored(): SiteSettings {
    return this.#present(this.#record()?.settings ?? {});
  }

  #present(settings: SiteSettings): SiteSettings {
    return withoutMissing(settings, (id) => this.#isDevice(id));
  }

  #originOf(name: SiteSetting): SettingOrigin {
    if (this.#file[name] !== undefined) return "file";
    return this.#settings()[name] === undefined ? "default" : "api";
  }

  #requireValid(settings: SiteSettings): void {
    const mistakes = siteMistakes(settings, { isDevice: (id) => this.#isDevice(id), panelsKw: this.#forecastKw });
    if (mistakes.length === 0) return;
    const issues = mistakes.map(({ path, problem: message }) => issueOf(path, message));
    const detail = mistakes.map(({ path, problem: text }) => `${path.join(".")}: ${text}`).join("; ");
    throw problem("bad-request", `${detail}.`, { issues });
  }

  #isDevice(id: string): boolean {
    const { config, store } = this.#context;
    return config.devices.some((device) => device.id === id) || store.get("device", id) !== null;
  }

  #assetsOf(deviceId: string): readonly SiteAsset[] {
    return this.#context.store.all("asset").filter((asset) => asset.deviceId === deviceId);
  }
}

function issueOf(path: SiteMistake["path"], message: string) {
  return { code: "custom", path: [...path], message, in: "body" as const };
}

export function createSiteConnections(context: SiteNeeds): Feature<SiteConnectionService> {
  const service = new SiteConnectionService(context);
  return { name: "siteConnections", service, connect: () => service.connect() };
}
