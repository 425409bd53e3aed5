/** The limits of the grid operator: their sources, what applies, and the record of each limitation. */
import { GridLimitsConfig, type GridLimitsSettings } from "../../config/grid-limits-config.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import type { ActiveLimit } from "../../domain/energy/cycle/energy-snapshot.ts";
import { activeLimitView } from "../../domain/energy/energy-views.ts";
import type { Limitation, MeasuredPower } from "../../domain/energy/limits/limitation.ts";
import { minimumPowerW } from "../../domain/energy/limits/minimum-power.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Log, MqttLinks, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { Store } from "../../store/store.ts";
import type {
  EnergyLimits,
  LimitPort,
  LimitPortOptions,
  LimitSource,
  SiteConnections,
} from "../contracts/energy/energy.ts";
import type { EngineConfig, EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { CONTACTS_ID, ContactSource, type ContactSourceNeeds } from "./contact-source.ts";
import type { EnergyDevice } from "./energy-device.ts";
import { LimitBoard } from "./limit-board.ts";
import { LimitationLog } from "./limitation-log.ts";
import { MachineSource, type SourceDefaults } from "./machine-source.ts";
import { PendingWrites } from "./pending-writes.ts";
import { ScheduleSource } from "./schedule-source.ts";

const W_PER_KW = 1_000;
/** What a device may always draw (§ 14a EnWG), W: the default where no controllable devices are configured. */
const LEAST_W = 4_200;
/** Sources that were opened at run time; events of the grid are bounded separately. */
const MAX_SOURCES = 20;
/** The disk is tried again after this time. */
const RETRY_MS = 10 * SECOND_MS;

/** The parts of the engine that limits use. */
export interface EnergyLimitNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly store: Store;
  readonly mqtt: MqttLinks;
  readonly config: EngineConfig;
  /** The devices whose inputs may be contacts. */
  readonly regulated: { all(): readonly EnergyDevice[] };
}

export class EnergyLimitService implements EnergyLimits, EnginePart {
  readonly #needs: EnergyLimitNeeds;
  readonly #log: Log;
  readonly #settings: GridLimitsSettings;
  readonly #writes: PendingWrites;
  readonly #limitations: LimitationLog;
  readonly #board: LimitBoard;
  readonly #wake: WakeSignal;
  readonly #sources = new Map<string, MachineSource>();
  readonly #contacts: ContactSource | null;
  readonly #schedule: ScheduleSource;
  /** What the wall clock is ahead of the monotonic one. */
  #clockOffsetMs: number;
  #prunedAtMs = Number.NEGATIVE_INFINITY;
  #isDiskFailing = false;

  constructor(needs: EnergyLimitNeeds, site: Pick<SiteConnections, "panelsKw">) {
    this.#needs = needs;
    this.#log = needs.log.child({ part: "limits" });
    this.#settings = needs.config.gridLimits ?? GridLimitsConfig.parse({});
    this.#writes = new PendingWrites(needs.store);
    this.#limitations = new LimitationLog({ ...needs, writes: this.#writes });
    this.#board = new LimitBoard(this.#limitations);
    this.#wake = new WakeSignal(needs.clock);
    const { contacts, schedule } = this.#settings;
    const { clock, store, mqtt, config } = needs;
    this.#clockOffsetMs = clock.nowMs() - clock.monotonicMs();
    const dimW = contacts?.dimKw === undefined ? this.#minimumW() : contacts.dimKw * W_PER_KW;
    const own = { clock, mqtt, log: this.#log, board: this.#board, dimW, panelsKw: () => site.panelsKw() };
    this.#contacts =
      contacts === undefined
        ? null
        : new ContactSource(
            { ...own, contacts, readInput: inputReader(needs), changed: () => this.#wake.notify() },
            store.get("limit-source", CONTACTS_ID),
          );
    this.#schedule = new ScheduleSource({ clock, board: this.#board, zone: config.site.timezone, entries: schedule });
  }

  /** Continues the sources of the run before, whose limits or failsafe values apply from here on. */
  connect(): void {
    const { store } = this.#needs;
    this.#board.observe((limits) => this.#report(limits));
    for (const record of store.all("limit-source")) {
      const { id, name, kind } = record;
      if (kind !== "client" && kind !== "eebus" && kind !== "openadr" && kind !== "event") continue;
      this.#source({ id, name, kind }).restore(record);
      this.#log.info({ source: id, name }, "source of limits continued after the start");
    }
    this.#schedule.tick();
    this.#contacts?.connect();
    this.#limitations.endUnfinished();
    this.#wake.notify();
  }

  active(): readonly ActiveLimit[] {
    return this.#board.active;
  }

  observe(listener: (limits: readonly ActiveLimit[]) => void): Disposable {
    return this.#board.observe(listener);
  }

  note(measured: MeasuredPower): void {
    this.#board.note(measured);
    if (!this.#writes.isEmpty) this.#wake.notify();
  }

  limitations(): readonly Limitation[] {
    return this.#limitations.list();
  }

  sources(): readonly LimitSource[] {
    this.#tick();
    const contacts = this.#contacts === null ? [] : [this.#contacts.view()];
    return [...[...this.#sources.values()].map((source) => source.view()), ...contacts, ...this.#schedule.views()];
  }

  port(options: LimitPortOptions): LimitPort {
    return {
      set: async (demand) => {
        if (!this.#sources.has(options.id) && options.kind !== "event" && this.#sources.size >= MAX_SOURCES) {
          throw problem("conflict", `There are ${MAX_SOURCES} sources of limits already; remove one first.`);
        }
        const isNew = !this.#sources.has(options.id);
        const source = this.#source(options);
        const before = JSON.stringify(source.record());
        try {
          source.set(demand);
        } catch (error) {
          if (isNew) this.#sources.delete(options.id);
          throw error;
        }
        if (isNew || JSON.stringify(source.record()) !== before) this.#keep(source);
        await this.#storeNow();
        return source.view();
      },
      heartbeat: () => {
        const source = this.#known(options.id);
        source.heartbeat();
        this.#wake.notify();
        return source.view();
      },
      withdraw: async () => {
        const source = this.#known(options.id);
        // What is over by now was not withdrawn.
        source.tick(this.#needs.clock.monotonicMs());
        source.withdraw();
        this.#sources.delete(options.id);
        this.#writes.add({ table: "limit-source", key: options.id, remove: true });
        await this.#storeNow();
      },
    };
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#tick();
      await this.#storeQuietly();
      await this.#wake.wait(this.#waitMs(), signal).catch(() => undefined);
    }
    this.#contacts?.[Symbol.dispose]();
    this.#limitations.storeOpen();
    await this.#storeQuietly();
  }

  #tick(): void {
    const nowMs = this.#needs.clock.monotonicMs();
    for (const source of this.#sources.values()) if (source.tick(nowMs)) this.#keep(source);
    this.#followClock();
    this.#schedule.tick();
    if (this.#contacts?.tick() === true) {
      this.#writes.add({ table: "limit-source", key: CONTACTS_ID, put: this.#contacts.record() });
    }
    if (nowMs - this.#prunedAtMs < HOUR_MS) return;
    this.#prunedAtMs = nowMs;
    this.#limitations.prune();
  }

  /** Ends are kept by the wall clock: where it was put right, they are stored again. */
  #followClock(): void {
    const { clock } = this.#needs;
    const offsetMs = clock.nowMs() - clock.monotonicMs();
    if (Math.abs(offsetMs - this.#clockOffsetMs) < SECOND_MS) return;
    this.#clockOffsetMs = offsetMs;
    for (const source of this.#sources.values()) {
      source.clockMoved();
      this.#keep(source);
    }
    this.#limitations.clockMoved();
  }

  #waitMs(): number {
    if (this.#isDiskFailing) return RETRY_MS;
    const nowMs = this.#needs.clock.monotonicMs();
    const times = [...this.#sources.values()].map((source) => source.nextMs());
    const next = [...times, this.#schedule.nextMs(), this.#contacts?.nextMs() ?? null].filter((at) => at !== null);
    return Math.max(0, Math.min(nowMs + MINUTE_MS, ...next) - nowMs);
  }

  #source(options: LimitPortOptions): MachineSource {
    const known = this.#sources.get(options.id);
    if (known !== undefined) return known;
    const { clock } = this.#needs;
    const source = new MachineSource({ clock, board: this.#board, defaults: this.#defaults() }, options);
    this.#sources.set(options.id, source);
    return source;
  }

  #known(id: string): MachineSource {
    const source = this.#sources.get(id);
    if (source === undefined) throw problem("not-found", "This client has set no limit; PUT one first.");
    return source;
  }

  #keep(source: MachineSource): void {
    const record = source.record();
    this.#writes.add({ table: "limit-source", key: record.id, put: record });
    this.#wake.notify();
  }

  #defaults(): SourceDefaults {
    const { failsafe, autonomous } = this.#settings;
    const watts = (kw: number | undefined): number | null => (kw === undefined ? null : kw * W_PER_KW);
    return {
      failsafeW: { import: watts(failsafe.importKw) ?? this.#minimumW(), export: watts(failsafe.feedInKw) },
      autonomousW: { import: watts(autonomous.importKw), export: watts(autonomous.feedInKw) },
      failsafeMs: failsafe.hours * HOUR_MS,
      afterFailsafe: failsafe.after,
    };
  }

  #minimumW(): number {
    const devices = this.#settings.controllable.map(({ kind, kw }) => ({ kind, watts: kw * W_PER_KW }));
    return minimumPowerW(devices) || LEAST_W;
  }

  #report(limits: readonly ActiveLimit[]): void {
    const { clock } = this.#needs;
    const now = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    const views = limits.map((limit) => activeLimitView(limit, now));
    this.#log.info({ limits: views }, "limits of the grid operator changed");
    this.#writes.addEvent({ event: "local:energy:limits-updated", payload: { limits: views } });
  }

  /** The limit applies by now; the caller learns whether it is stored. */
  async #storeNow(): Promise<void> {
    try {
      await this.#writes.flush();
    } catch (err) {
      this.#diskFailed(err);
      this.#wake.notify();
      const detail = "The limit applies, but cannot be stored now; the gateway tries again. Send it again to be sure.";
      throw problem("service-unavailable", detail, { cause: err });
    }
  }

  async #storeQuietly(): Promise<void> {
    try {
      await this.#writes.flush();
      this.#isDiskFailing = false;
    } catch (err) {
      this.#diskFailed(err);
    }
  }

  #diskFailed(err: unknown): void {
    if (!this.#isDiskFailing) this.#log.warn({ err }, "cannot store limits; they apply, and storing is tried again");
    this.#isDiskFailing = true;
  }
}

function inputReader({ regulated }: EnergyLimitNeeds): ContactSourceNeeds["readInput"] {
  return (id, point) => {
    const device = regulated.all().find(({ settings }) => settings.id === id);
    const readAtMs = device?.measuredAtMs(point) ?? null;
    return device === undefined || readAtMs === null ? null : { isOn: device.values[point] ?? null, readAtMs };
  };
}

export function createEnergyLimits(
  context: EnergyLimitNeeds,
  site: Pick<SiteConnections, "panelsKw">,
): Feature<EnergyLimitService> {
  const service = new EnergyLimitService(context, site);
  return { name: "energyLimits", service, connect: () => service.connect(), loop: service };
}
