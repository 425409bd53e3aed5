import { hasNoImportLimit } from "../../domain/energy/site/resolve-site.ts";
import { problem } from "../../domain/problem.ts";
import type { Line } from "../../domain/setup/load-step.ts";
import { type SetupFacts, type SkippableStep, setupSteps } from "../../domain/setup/setup-steps.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { Corrections } from "../checks/corrections.ts";
import type { InstallationCheckService } from "../checks/installation-check-service.ts";
import type { EnergyLimits, SiteConnections } from "../contracts/energy/energy.ts";
import type { Actions, Assets, DeviceStatus } from "../contracts/engine.ts";
import type { People } from "../contracts/people.ts";
import type {
  ControlTestRecord,
  LoadChecks,
  SeenDevice,
  Setup,
  SetupActor,
  SetupState,
  SetupStep,
  TestableDevice,
} from "../contracts/setup.ts";
import type { EnergyDevice } from "../energy/energy-device.ts";
import type { EnergyService } from "../energy/energy-service.ts";
import { gridMeter } from "../energy/house-view.ts";
import type { EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { PoweredSystem } from "../hem/house-power-service.ts";
import { ControlTests } from "./control-tests.ts";
import { LoadCheck } from "./load-check.ts";
import { SeenDevices } from "./seen-devices.ts";
import { SetupBook } from "./setup-book.ts";

/** The parts of the engine that the setup uses. */
export interface SetupNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly actions: Actions;
  readonly corrections: Corrections;
  readonly regulated: { all(): readonly EnergyDevice[]; wake(deviceId: string): void };
}

export interface SetupParts {
  readonly checks: InstallationCheckService;
  readonly siteConnections: Pick<SiteConnections, "current" | "notes">;
  readonly energyLimits: Pick<EnergyLimits, "active">;
  readonly energy: EnergyService;
  readonly systems: () => readonly PoweredSystem[];
  readonly people: Pick<People, "list" | "isClaimed">;
  readonly hasMarket: boolean;
  readonly statuses: () => readonly DeviceStatus[];
}

/** Everybody, as a manager of people sees them. */
const MANAGER = { accountId: null, isManager: true } as const;

/** Leads through the setup of a house: says what is done, runs the checks that need a person, and keeps the hand-over. */
export class SetupService implements Setup, EnginePart {
  readonly #needs: SetupNeeds;
  readonly #parts: SetupParts;
  readonly #book: SetupBook;
  readonly #loadCheck: LoadCheck;
  readonly #tests: ControlTests;
  readonly #seen: SeenDevices;
  #closing: AbortSignal = new AbortController().signal;

  constructor(needs: SetupNeeds, parts: SetupParts) {
    const { clock, store, assets, actions, regulated, corrections } = needs;
    const log = needs.log.child({ part: "setup" });
    this.#needs = { ...needs, log };
    this.#parts = parts;
    this.#book = new SetupBook(store);
    this.#loadCheck = new LoadCheck({
      clock,
      log,
      corrections,
      book: this.#book,
      meterId: () => this.#meter()?.settings.id ?? null,
      others: () => this.#others(),
      report: (finding) => parts.checks.report(finding),
    });
    this.#tests = new ControlTests({
      clock,
      log,
      book: this.#book,
      assets,
      actions,
      regulated,
      energy: parts.energy,
      house: () => parts.energy.house,
      site: () => parts.siteConnections.current(),
      limits: () => parts.energyLimits.active(),
      takenOver: (assetId) => parts.checks.takenOver(assetId),
    });
    this.#seen = new SeenDevices({
      clock,
      log,
      book: this.#book,
      regulated,
      isInDoubt: (assetId) => parts.checks.isInDoubt(assetId),
    });
  }

  /** A gateway that nobody has claimed yet is to be set up. One that was claimed before there was a setup is not. */
  async begin(): Promise<void> {
    if (!this.#book.isBegun && !this.#parts.people.isClaimed()) await this.#book.change((before) => before);
    await this.#tests.recover();
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#closing = signal;
    const { log } = this.#needs;
    await this.begin().catch((err: unknown) =>
      log.warn({ err }, "cannot store the setup; will retry at the next start"),
    );
    await this.#seen.run(signal);
  }

  state(): SetupState {
    const { skipped, handOver } = this.#book.record;
    const steps = setupSteps(this.#facts()).map(({ isDone, ...result }): SetupStep => {
      const skip = result.step === "hand-over" ? null : (skipped[result.step] ?? null);
      return { ...result, state: isDone ? "done" : skip === null ? "open" : "skipped", skip };
    });
    const current = steps.find(({ state }) => state === "open")?.step ?? null;
    return { steps, current, isDue: this.#book.isBegun && handOver === null, handOver };
  }

  async skip(
    step: SkippableStep,
    { isSkipped, reason }: { readonly isSkipped: boolean; readonly reason: string | null },
    by: SetupActor,
  ): Promise<SetupState> {
    const atMs = this.#needs.clock.nowMs();
    await this.#book.change((before) => {
      const { [step]: _, ...others } = before.skipped;
      return { ...before, skipped: isSkipped ? { ...others, [step]: { by, atMs, reason } } : others };
    });
    return this.state();
  }

  async handOver(note: string | null, by: SetupActor): Promise<SetupState> {
    const open = this.state().steps.filter(({ step, state }) => step !== "hand-over" && state === "open");
    if (open.length > 0) {
      const names = open.map(({ step }) => step).join(", ");
      throw problem("conflict", `These steps are open: ${names}. Do them, or leave them out with a reason.`);
    }
    if (this.#loadCheck.isRunning || this.#tests.isRunning) {
      throw problem("conflict", "A check or a test is under way; wait for its end.");
    }
    const atMs = this.#needs.clock.nowMs();
    await this.#book.change((before) => ({ ...before, handOver: { by, atMs, note } }));
    this.#needs.log.info({ by: by.name }, "house handed over");
    return this.state();
  }

  async reopen(): Promise<SetupState> {
    await this.#book.change((before) => ({ ...before, handOver: null }));
    return this.state();
  }

  loadChecks(): LoadChecks {
    return this.#loadCheck.view();
  }

  startLoadCheck(line: Line | null, by: SetupActor): LoadChecks {
    return this.#loadCheck.start(line, by, this.#closing);
  }

  stopLoadCheck(): LoadChecks {
    return this.#loadCheck.stop();
  }

  tests(): readonly TestableDevice[] {
    return this.#tests.list();
  }

  startTest(assetId: string, by: SetupActor): Promise<ControlTestRecord> {
    return this.#tests.start(assetId, by, this.#closing);
  }

  stopTest(assetId: string): void {
    this.#tests.stop(assetId);
  }

  seen(): readonly SeenDevice[] {
    return this.#seen.list();
  }

  forget(removal: Parameters<NonNullable<Feature["forgetter"]>["forget"]>[0]) {
    return removal.kind === "assets" ? this.#book.without(removal.assetIds) : [];
  }

  #meter(): EnergyDevice | null {
    const { systems, siteConnections } = this.#parts;
    return gridMeter(systems(), this.#needs.regulated.all(), siteConnections.current());
  }

  #others() {
    const kinds = ["inverter", "battery", "charger"] as const;
    return this.#needs.regulated
      .all()
      .flatMap(({ settings, assets }) =>
        kinds
          .filter((kind) => assets.ids.some((asset) => asset.kind === kind))
          .map((kind) => ({ deviceId: settings.id, kind })),
      );
  }

  #facts(): SetupFacts {
    const { checks, siteConnections, people, hasMarket, statuses } = this.#parts;
    const { store } = this.#needs;
    const record = this.#book.record;
    const devices = statuses();
    const meterId = this.#meter()?.settings.id ?? null;
    const notes = siteConnections.notes().filter(({ id }) => id === "site-no-grid-meter");
    const tested = this.#tests
      .list()
      .filter(({ last, refusal }) => last !== null || refusal?.code !== "no-safe-command");
    const states = tested.map(({ last }) => last?.state ?? null);
    return {
      hasImportLimit: !hasNoImportLimit(siteConnections.current()),
      devices: { all: devices.length, answering: devices.filter(({ isReachable }) => isReachable).length },
      openFindings: [...checks.list(), ...notes].filter(({ state }) => state === "OPEN").length,
      hasMeter: meterId !== null,
      isMeterProved: record.loadChecks.some((each) => each.deviceId === meterId && this.#isProof(each)),
      inverters: this.#seen.count("inverter"),
      batteries: this.#seen.count("battery"),
      tests: {
        all: states.length,
        passed: states.filter((state) => state === "passed").length,
        failed: states.filter((state) => state === "failed" || state === "interrupted").length,
      },
      hasPrices: hasMarket || store.all("tariff-link").length > 0,
      people: people.list(MANAGER).length,
      isHandedOver: record.handOver !== null,
    };
  }

  /** A meter that was turned round is right once its fix is confirmed. */
  #isProof({ verdict, findingId }: LoadChecks["results"][number]): boolean {
    if (verdict === "right") return true;
    return findingId !== null && this.#parts.checks.get(findingId)?.state === "CONFIRMED";
  }
}

export function createSetup(needs: SetupNeeds, parts: SetupParts): Feature<SetupService> {
  const service = new SetupService(needs, parts);
  return { name: "setup", service, loop: service, forgetter: { forget: (removal) => service.forget(removal) } };
}
