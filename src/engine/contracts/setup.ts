import type { AssetKind } from "../../domain/assets/asset.ts";
import type { RefusedTest } from "../../domain/setup/control-test.ts";
import type { Line, LoadStep } from "../../domain/setup/load-step.ts";
import type { SetupImportPreview } from "../../domain/setup/setup-import.ts";
import type { SetupStepName, SkippableStep, StepResult } from "../../domain/setup/setup-steps.ts";
import type {
  ControlTestRecord,
  LoadCheckRecord,
  SeenPower,
  SetupActor,
  SetupDeed,
  SetupImportRecord,
  SetupRecord,
} from "../../store/records/setup.ts";

export type { ControlTestRecord, LoadCheckRecord, SeenPower, SetupActor, SetupDeed, SetupImportRecord };

/** A step with whether somebody left it out. */
export interface SetupStep extends Omit<StepResult, "isDone"> {
  readonly state: "done" | "open" | "skipped";
  /** Who left it out, and why; `null` if nobody did. */
  readonly skip: (SetupDeed & { readonly reason: string | null }) | null;
}

export interface SetupState {
  readonly steps: readonly SetupStep[];
  /** The first open step; `null` if none is. */
  readonly current: SetupStepName | null;
  /** True if the gateway was claimed with a setup, and the house is not handed over yet. */
  readonly isDue: boolean;
  readonly handOver: SetupRecord["handOver"];
}

/** A check with a load that is under way. */
export interface RunningLoadCheck {
  readonly deviceId: string;
  readonly line: Line | null;
  readonly by: SetupActor;
  /** Wall-clock ms. */
  readonly startedAtMs: number;
  /** Wall-clock ms at which it ends without a step. */
  readonly endsAtMs: number;
  readonly step: LoadStep;
}

export interface LoadChecks {
  /** `null`: none is under way. */
  readonly running: RunningLoadCheck | null;
  /** The last result of each meter and phase, newest first. */
  readonly results: readonly LoadCheckRecord[];
}

/** A device that takes commands, with its last test. */
export interface TestableDevice {
  readonly assetId: string;
  readonly deviceId: string;
  readonly kind: AssetKind;
  /** Why it cannot be tested now; `null` if it can. */
  readonly refusal: RefusedTest | null;
  readonly last: ControlTestRecord | null;
}

/** What a device was seen with, so that its direction and its role are shown to be right. */
export interface SeenDevice {
  readonly assetId: string;
  readonly kind: "inverter" | "battery";
  readonly positive: SeenPower | null;
  readonly negative: SeenPower | null;
}

/** The steps of setting up a house, up to its hand-over. Reads are from memory. */
export interface Setup {
  state(): SetupState;
  /** Leaves a step out, or takes that back. */
  skip(
    step: SkippableStep,
    skip: { readonly isSkipped: boolean; readonly reason: string | null },
    by: SetupActor,
  ): Promise<SetupState>;
  /** Hands the house over. Throws `conflict` while a step is neither done nor left out, and while a check or test runs. */
  handOver(note: string | null, by: SetupActor): Promise<SetupState>;
  /** Takes the hand-over back, so that the setup goes on. */
  reopen(): Promise<SetupState>;

  loadChecks(): LoadChecks;
  /** Watches the grid meter for a load, two minutes at most. Throws `conflict` while another check runs, or without a meter. */
  startLoadCheck(line: Line | null, by: SetupActor): LoadChecks;
  /** Ends the check without a result. */
  stopLoadCheck(): LoadChecks;

  tests(): readonly TestableDevice[];
  /**
   * Sends a small command, and takes it back when a reading has shown it. Resolves when the test is on disk, before the
   * command. Throws `not-found`, and `conflict` with the reason if it must not be.
   */
  startTest(assetId: string, by: SetupActor): Promise<ControlTestRecord>;
  /** Takes a running test back at once. Throws `not-found` if none of the device runs. */
  stopTest(assetId: string): void;

  seen(): readonly SeenDevice[];
}

/** Who imports a file. */
export interface Importer {
  readonly by: SetupActor;
  /** May make accounts. */
  readonly isManager: boolean;
}

/** The import of a file that a house is set up from. It goes on when nobody asks, and is known also after a restart. */
export interface SetupImports {
  /** Checks a file as a whole, and returns what its import would do. Nothing is changed. */
  preview(text: string, importer: Importer): SetupImportPreview;
  /**
   * Begins to import a file; resolves when the task is on disk. Throws `bad-request` with an issue for each mistake, and
   * `conflict` while another import runs.
   */
  begin(text: string, importer: Importer): Promise<SetupImportRecord>;
  /** Returns what runs, else what ran last; `null` if nothing did. */
  task(): SetupImportRecord | null;
  /** Ends the import after what it does now. Throws `not-found` if none runs. */
  stop(): void;
}
