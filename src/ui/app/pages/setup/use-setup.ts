/** The answers of the setup's API, as the pages read them. */
import { useEffect } from "preact/hooks";
import type { AssetKind } from "../../live/assets.ts";
import { type Polled, usePolled } from "../../live/poll.ts";
import type { Finding } from "../../shapes.ts";
import type { SetupTexts } from "../../texts/setup/en-us.ts";
import type { FeedIn } from "../feed-in.ts";

export type StepName = keyof SetupTexts["steps"];

export interface Step {
  readonly step: StepName;
  readonly state: "done" | "open" | "skipped";
  readonly reason: keyof SetupTexts["reasons"];
  readonly done: number | null;
  readonly all: number | null;
}

export interface Deed {
  readonly by: { readonly name: string };
  readonly at: string;
}

export interface SetupState {
  readonly steps: readonly Step[];
  readonly current: StepName | null;
  readonly isDue: boolean;
  readonly handOver: (Deed & { readonly note: string | null }) | null;
}

export interface LoadResult extends Deed {
  readonly verdict: keyof SetupTexts["checks"]["verdicts"];
  readonly meterW: number | null;
  readonly lines: readonly number[];
  readonly findingId: string | null;
}

export interface LoadCheck {
  readonly running: { readonly endsAt: string; readonly changeW: number | null } | null;
  readonly results: readonly LoadResult[];
}

export interface ControlTest extends Deed {
  readonly assetId: string;
  readonly assetType: AssetKind;
  readonly point: keyof SetupTexts["tests"]["what"];
  readonly before: number | boolean | string;
  readonly asked: number | boolean | string;
  readonly state: "running" | "passed" | "failed" | "interrupted";
  readonly cause: keyof SetupTexts["tests"]["causes"] | null;
  readonly tookSeconds: number | null;
}

export interface Testable {
  readonly assetId: string;
  readonly assetType: AssetKind;
  readonly refusal: { readonly code: keyof SetupTexts["tests"]["refusals"] } | null;
  readonly last: ControlTest | null;
}

interface SeenPower {
  readonly powerW: number;
}

export interface Report {
  readonly house: { readonly name: string; readonly timezone: string; readonly hostName: string };
  readonly createdAt: string;
  readonly handOver: SetupState["handOver"];
  readonly steps: readonly Step[];
  readonly site: {
    readonly connection: Readonly<Partial<Record<"fuseA" | "importKw" | "phases", number>>> & FeedIn;
  };
  readonly gridLimits: readonly { readonly name: string }[];
  readonly devices: readonly {
    readonly deviceId: string;
    readonly manufacturer: string | null;
    readonly model: string | null;
    readonly serial: string | null;
    readonly firmware: string | null;
    readonly isReachable: boolean;
    readonly assets: readonly { readonly assetType: AssetKind; readonly assetId: string }[];
  }[];
  readonly findings: readonly Finding[];
  readonly loadChecks: readonly LoadResult[];
  readonly seen: readonly {
    readonly assetId: string;
    readonly assetType: "inverter" | "battery";
    readonly positive: SeenPower | null;
    readonly negative: SeenPower | null;
  }[];
  readonly tests: readonly ControlTest[];
  readonly people: readonly { readonly name: string; readonly role: "owner" | "installer" | "member" | "guest" }[];
}

const EACH_MS = 4_000;

export function useSetup(isAsked = true, everyMs = EACH_MS): Polled<SetupState> {
  return usePolled<SetupState>(isAsked ? "/local/setup" : null, everyMs);
}

/** Leads to the setup once, where a page was opened without saying which: an address with a page is left alone. */
export function useWayToSetup(setup: SetupState | null): void {
  const isDue = setup?.isDue ?? null;
  useEffect(() => {
    if (isDue === true && (location.hash === "" || location.hash === "#")) location.replace("#/setup");
  }, [isDue]);
}

/** The screens, in their order. People and hand-over share one. */
export const SCREENS = ["site", "devices", "checks", "control-tests", "prices", "hand-over"] as const;
export type ScreenName = (typeof SCREENS)[number];

export function screenOf(step: StepName): ScreenName {
  return step === "people" ? "hand-over" : step;
}
