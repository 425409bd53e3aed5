import type { Asset, AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import { asJustFound, KIND_RULES, kindsOf } from "../../domain/assets/asset-kinds.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import type { PointValues, Snapshot } from "../../domain/assets/snapshot.ts";
import { updatedAnew, updates } from "../../domain/assets/stamps.ts";
import { instant } from "../../domain/fields.ts";
import { startOfDay } from "../../domain/statistics/statistics-calendar.ts";
import { scopesFor } from "../../domain/users/scope.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { Reading } from "../../points/points.ts";
import type { AssetRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";
import { EarlyDates } from "../devices/early-dates.ts";
import type { Heard } from "../devices/heard.ts";
import { assetEvent } from "../events.ts";
import type { AssetJournal } from "./asset-journal.ts";
import type { AssetOverlays } from "./asset-overlays.ts";
import type { AssetRegistry } from "./registry.ts";

export interface DeviceAssetsOptions {
  readonly settings: DeviceSettings;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly store: Pick<Store, "commit" | "all">;
  readonly registry: AssetRegistry;
  readonly overlays: Pick<AssetOverlays, "apply">;
  readonly journal: AssetJournal;
}

/** The kinds whose discovery tells a reading (rule S14). */
const WAITING: ReadonlySet<AssetKind> = new Set(["hvac"]);

/** The assets that one device carries: which they are, their ids for good, and what readings make of them. */
export class DeviceAssets {
  readonly #options: DeviceAssetsOptions;
  #records: readonly AssetRecord[];
  #known: KnownDevice | null;
  #lastSeenMs: number | null;
  /** The device's last values, for the overlays. */
  #values: Readonly<PointValues> = {};
  #hasLeft = false;
  /** When the device answered, and its assets were found. */
  readonly #earlySeen: EarlyDates;
  readonly #earlyUpdated: EarlyDates;

  /** Shows the assets that the device carried when it was last connected. */
  constructor(options: DeviceAssetsOptions) {
    this.#options = options;
    this.#earlySeen = new EarlyDates(options.clock, () => this.#seenMs());
    this.#earlyUpdated = new EarlyDates(options.clock, () => this.#updatedMs());
    this.#records = options.store.all("asset").filter(({ deviceId }) => deviceId === options.settings.id);
    this.#known = this.#records[0]?.device ?? null;
    this.#lastSeenMs = this.#records[0]?.lastSeenMs ?? null;
    for (const record of this.#records) {
      if (this.#known === null) continue;
      const asset = this.#showAgain(record.kind, record, this.#known);
      // What was told before the restart is not kept: the first verdict about the device is told in any case.
      options.journal.begin(record.kind, { ...asset, isReachable: true }, () => [this.#recordWrite(record)]);
    }
  }

  /** What the device told when it was last connected; null before it ever was. */
  get known(): KnownDevice | null {
    return this.#known;
  }

  /** Wall-clock ms of the last answer, of an earlier run too; null before the first. */
  get lastSeenMs(): number | null {
    return this.#lastSeenMs;
  }

  get ids(): readonly { readonly kind: AssetKind; readonly id: string }[] {
    return this.#records.map(({ kind, id }) => ({ kind, id }));
  }

  /** From here on nothing is shown, told or found of the device. What is shown stays until the registry forgets it. */
  leave(): void {
    this.#hasLeft = true;
    for (const { id } of this.#records) this.#options.journal.forget(id);
  }

  /** The records of all of them as they are now. */
  writes(): readonly Write[] {
    return this.#records.map((record) => this.#recordWrite(record));
  }

  /** True while an asset waits for the device's first reading. */
  get isWaiting(): boolean {
    return this.#known !== null && !this.#hasLeft && this.#missing(this.#known).some((kind) => WAITING.has(kind));
  }

  /**
   * The device is connected: gives each kind that it carries and that has no asset yet one; those that wait for its first
   * reading only with `first`, the readings, which are empty once it is not waited for any more. The disk may refuse; the
   * next call tries again.
   */
  async adopt(known: KnownDevice, first: readonly Reading[] | null = null): Promise<void> {
    if (this.#hasLeft) return;
    const isChanged = known !== this.#known && JSON.stringify(known) !== JSON.stringify(this.#known);
    this.#known = known;
    if (isChanged) for (const record of this.#records) this.#show(record.kind, record, known);
    const missing = this.#missing(known).filter((kind) => first !== null || !WAITING.has(kind));
    if (missing.length > 0) await this.#discover(missing, known, first ?? []);
  }

  #missing(known: KnownDevice): readonly AssetKind[] {
    return this.#kindsOf(known).filter((kind) => !this.#records.some((record) => record.kind === kind));
  }

  /** A turn that ended at `nowMs`, wall-clock ms, read what was measured then; null: nothing that is news. */
  fold(snapshot: Snapshot, heard: Pick<Heard, "atMs" | "toldMs" | "tickMs"> | null, nowMs: number): void {
    const atMs = heard?.atMs ?? nowMs;
    this.#lastSeenMs = nowMs;
    this.#earlySeen.note(nowMs, this.#options.clock.monotonicMs());
    if (heard !== null && heard.toldMs !== atMs) this.#earlyUpdated.note(atMs, heard.tickMs, heard.toldMs ?? undefined);
    this.#values = snapshot.values;
    const lastSeen = instant(nowMs);
    for (const { kind, id } of this.#records) this.#foldOne(kind, id, snapshot, { atMs, lastSeen });
  }

  /** Once the clock can be trusted: what was dated before is dated anew. */
  dateAnew(): void {
    const [seen, updated] = [this.#earlySeen, this.#earlyUpdated];
    if (this.#hasLeft || !(seen.isDue || updated.isDue)) return;
    if (this.#lastSeenMs !== null) this.#lastSeenMs = seen.anew(this.#lastSeenMs);
    const foundMs = this.#records.map(({ createdAtMs }) => seen.anew(createdAtMs));
    const wasFoundEarly = this.#records.some(({ createdAtMs }, at) => createdAtMs !== foundMs[at]);
    this.#records = this.#records.map((record, at) => ({ ...record, createdAtMs: foundMs[at] ?? record.createdAtMs }));
    for (const record of this.#records) this.#dateOne(record.kind, record);
    seen.clear();
    updated.clear();
    if (!wasFoundEarly) return;
    // Nobody waits for it: the gateway's stop writes them again.
    this.#options.store
      .commit(this.writes(), [])
      .catch((err) => this.#options.log.warn({ err }, "dates not stored yet"));
  }

  #dateOne<Kind extends AssetKind>(kind: Kind, record: AssetRecord): void {
    const { registry } = this.#options;
    const { id, createdAtMs } = record;
    const before = registry.get(kind, id);
    if (before === null) return;
    const { information } = this.#known === null ? before : this.#create(kind, record, this.#known);
    const lastSeen = instant(this.#earlySeen.anew(Date.parse(before.lastSeen)));
    const updated = updatedAnew(before, (text) => instant(this.#earlyUpdated.anew(Date.parse(text))));
    registry.set(kind, { ...updated, information, lastSeen }, createdAtMs);
  }

  #seenMs(): readonly number[] {
    return [this.#lastSeenMs ?? 0, ...this.#records.map(({ createdAtMs }) => createdAtMs)];
  }

  #updatedMs(): readonly number[] {
    const { registry } = this.#options;
    return this.#records.flatMap(({ kind, id }) =>
      updates(registry.get(kind, id) ?? {}).map((text) => Date.parse(text)),
    );
  }

  /** Values stay, with their age. */
  markUnreachable(): void {
    for (const { kind, id } of this.#records) this.#update(kind, id, (asset) => ({ ...asset, isReachable: false }));
  }

  /** The overlays are complete now: what they say of the assets that are shown already is no news. */
  rebase(): void {
    if (this.#known === null) return;
    for (const record of this.#records) {
      const asset = this.#show(record.kind, record, this.#known);
      this.#options.journal.begin(record.kind, { ...asset, isReachable: true }, () => [this.#recordWrite(record)]);
    }
  }

  /** What the overlays say may have changed. */
  refresh(): void {
    for (const record of this.#records) this.#refreshOne(record.kind, record);
  }

  #refreshOne<Kind extends AssetKind>(kind: Kind, record: AssetRecord): void {
    const known = this.#known;
    // An overlay may have taken a capability away and gives it back by leaving it as the device has it.
    this.#update(kind, record.id, (asset) =>
      known === null ? asset : withCapabilities(asset, this.#create(kind, record, known).capabilities),
    );
  }

  #kindsOf(known: KnownDevice): readonly AssetKind[] {
    return kindsOf(known.points).filter((kind) => this.#options.settings.kinds.includes(kind));
  }

  async #discover(kinds: readonly AssetKind[], known: KnownDevice, first: readonly Reading[]): Promise<void> {
    const { clock, random, settings, store, log } = this.#options;
    const createdAtMs = clock.nowMs();
    this.#earlySeen.note(createdAtMs, clock.monotonicMs());
    const records = kinds.map(
      (kind): AssetRecord => ({ id: random.uuid(), kind, deviceId: settings.id, createdAtMs, device: known }),
    );
    const heard = { readings: first, nowMs: createdAtMs };
    const found = records.map((record) => ({
      record,
      asset: asJustFound(this.#create(record.kind, record, known), this.#bare(record, known), heard),
    }));
    try {
      await store.commit(
        records.map((record) => this.#recordWrite(record)),
        found.map(({ record, asset }) => assetEvent("discovered", record.kind, asset)),
      );
    } catch (err) {
      log.warn({ err }, "new assets not stored yet");
      return;
    }
    if (this.#hasLeft) return;
    this.#records = [...this.#records, ...records];
    for (const { record, asset } of found) {
      this.#show(record.kind, record, known);
      this.#options.journal.begin(record.kind, asset, () => [this.#recordWrite(record)]);
      log.info({ kind: record.kind, assetId: record.id }, "asset discovered");
    }
  }

  /** After a connection was replaced what was read by then stays, with its age; but not what scopes may have hidden. */
  #showAgain<Kind extends AssetKind>(kind: Kind, record: AssetRecord, known: KnownDevice): AssetTypes[Kind] {
    const { registry, overlays } = this.#options;
    const made = this.#create(kind, record, known);
    const before = registry.get(kind, record.id);
    if (before === null || before.scopes.join() !== made.scopes.join()) return this.#show(kind, record, known);
    const { userId, information, capabilities } = made;
    const asset = overlays.apply(kind, { ...before, userId, information, capabilities, isReachable: false });
    registry.set(kind, asset, record.createdAtMs);
    return asset;
  }

  /** Shows the asset as it is before any reading of this run. */
  #show<Kind extends AssetKind>(kind: Kind, record: AssetRecord, known: KnownDevice): AssetTypes[Kind] {
    const asset = this.#options.overlays.apply(kind, this.#create(kind, record, known), this.#values);
    this.#options.registry.set(kind, asset, record.createdAtMs);
    return asset;
  }

  #create<Kind extends AssetKind>(kind: Kind, record: AssetRecord, known: KnownDevice): AssetTypes[Kind] {
    const { name, siteName, userId, scopes, timezone, installedOn } = this.#options.settings;
    return KIND_RULES[kind].create({
      id: record.id,
      userId,
      scopes: scopesFor(kind, scopes),
      siteName: name ?? known.identity.name ?? `${siteName} ${kind}`,
      timezone,
      lastSeenMs: this.#lastSeenMs ?? record.createdAtMs,
      installedAtMs: installedOn === undefined ? record.createdAtMs : startOfDay(timezone, installedOn),
      device: known,
    });
  }

  #bare(record: AssetRecord, known: KnownDevice): Asset {
    return this.#create(record.kind, record, { ...known, points: [], controls: [] });
  }

  #foldOne<Kind extends AssetKind>(
    kind: Kind,
    id: string,
    snapshot: Snapshot,
    { atMs, lastSeen }: { readonly atMs: number; readonly lastSeen: string },
  ): void {
    this.#update(kind, id, (asset) => {
      const folded = KIND_RULES[kind].fold(asset, snapshot, atMs);
      // A kind that the device no longer has keeps its asset, and is not told as alive.
      return this.#known === null || !this.#kindsOf(this.#known).includes(kind)
        ? asset
        : { ...folded, isReachable: true, lastSeen };
    });
  }

  #update<Kind extends AssetKind>(kind: Kind, id: string, change: (asset: AssetTypes[Kind]) => AssetTypes[Kind]): void {
    const { registry, journal, overlays } = this.#options;
    const before = registry.entry(kind, id);
    if (before === null || this.#hasLeft) return;
    const asset = overlays.apply(kind, change(before.asset), this.#values);
    registry.set(kind, asset, before.createdAtMs);
    journal.note(asset);
  }

  #recordWrite(record: AssetRecord): Write {
    const device = this.#known === null ? {} : { device: this.#known };
    const lastSeen = this.#lastSeenMs === null ? {} : { lastSeenMs: this.#lastSeenMs };
    const { userId } = this.#options.settings;
    return { table: "asset", key: record.id, put: { ...record, userId, ...device, ...lastSeen } };
  }
}

function withCapabilities<Kin extends Asset>(asset: Kin, capabilities: Kin["capabilities"]): Kin {
  const isSame = JSON.stringify(capabilities) === JSON.stringify(asset.capabilities);
  return isSame ? asset : { ...asset, capabilities };
}
