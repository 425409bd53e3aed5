import type { AssetKind } from "../../domain/assets/asset.ts";
import type { TestedPoint, TestRefusal } from "../../domain/setup/control-test.ts";
import type { Line, LoadStep } from "../../domain/setup/load-step.ts";
import type { SetupImportStep, SetupImportTask } from "../../domain/setup/setup-import.ts";
import type { SkippableStep } from "../../domain/setup/setup-steps.ts";
import type { PointValue } from "../../points/points.ts";

/** Who did something: a person, or a program. `name` as it was then. */
export interface SetupActor {
  readonly kind: "account" | "client";
  readonly id: string;
  readonly name: string;
}

/** A deed with its doer. */
export interface SetupDeed {
  readonly by: SetupActor;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** The last test of a device. */
export interface ControlTestRecord extends SetupDeed {
  readonly assetId: string;
  readonly deviceId: string;
  readonly kind: AssetKind;
  readonly point: TestedPoint;
  readonly before: PointValue;
  readonly asked: PointValue;
  /** `running`: from before the value was written until it was given back. */
  readonly state: "running" | "passed" | "failed" | "interrupted";
  /** Why it failed; `null` if it did not. */
  readonly cause: TestFailure | null;
  /** What the device showed while the value was asked for; `null` if it showed nothing. */
  readonly shown: PointValue | null;
  /** How long the device took until a reading showed the value, ms; `null` if none did. */
  readonly tookMs: number | null;
  /** True once a reading showed the value before the test again. */
  readonly isRestored: boolean;
  /** Wall-clock ms; `null` while it runs. */
  readonly endedAtMs: number | null;
}

/**
 * Why a test failed. `not-followed`: no reading showed the value. `taken-over`: somebody else, or a limit, changed it
 * meanwhile. `not-restored`: no reading showed the value before again. `stopped`: a person ended it.
 */
export type TestFailure =
  | "not-followed"
  | "taken-over"
  | "not-restored"
  | "stopped"
  | Extract<TestRefusal, "grid-operator">;

/** The result of a check with a load, of one phase or of the whole meter. */
export interface LoadCheckRecord extends SetupDeed {
  readonly deviceId: string;
  /** The phase that the person named; `null` if none. */
  readonly line: Line | null;
  /** `nothing`: no step within the time. */
  readonly verdict: Exclude<LoadStep["kind"], "waiting" | "no-baseline"> | "nothing";
  readonly loadW: number | null;
  readonly meterW: number | null;
  readonly lines: readonly Line[];
  /** The finding about it; `null` if the meter is right. */
  readonly findingId: string | null;
}

/** The largest power that a device was seen with in one direction, while there was no finding about it. */
export interface SeenPower {
  readonly watts: number;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** What has to survive a restart of setting up a house. There is one, with the key `setup`. */
export interface SetupRecord {
  readonly skipped: Readonly<Partial<Record<SkippableStep, SetupDeed & { readonly reason: string | null }>>>;
  /** `null` until the house is handed over. */
  readonly handOver: (SetupDeed & { readonly note: string | null }) | null;
  /** By asset. */
  readonly tests: Readonly<Record<string, ControlTestRecord>>;
  /** The last result of each meter and phase, newest last. */
  readonly loadChecks: readonly LoadCheckRecord[];
  /** By asset: `positive` into a battery, or produced; `negative` out of a battery. */
  readonly seen: Readonly<Record<string, { readonly positive?: SeenPower; readonly negative?: SeenPower }>>;
}

/** The import of a setup file that goes on or was the last one; nothing of it is a secret. The key is `current`. */
export interface SetupImportRecord {
  readonly state: SetupImportTask["state"];
  readonly by: SetupActor;
  /** Wall-clock ms. */
  readonly startedAtMs: number;
  /** Wall-clock ms; `null` while it runs. */
  readonly endedAtMs: number | null;
  readonly steps: readonly SetupImportStep[];
}
