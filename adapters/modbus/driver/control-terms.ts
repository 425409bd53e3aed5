/** On what terms a profile's controls are offered, for people who decide about them. */
import {
  type Control,
  type ControlPoint,
  type DeviceProfile,
  type PointValue,
  type ProfileControl,
  WrittenValues,
} from "hemgate/sdk";
import { offeredControls } from "../profile/profile-control.ts";

/** What the owner says in the configuration to be offered more. */
export type Confirmation = "confirmUnverified" | "confirmNoFailsafe";

/** What can be written, and what has to be confirmed before it is. */
export interface ValueTerms {
  /** Null: every number of the control's range. */
  readonly value: PointValue | null;
  /** Empty: offered at once. Null: a setting is missing. */
  readonly needs: readonly Confirmation[] | null;
}

export interface ControlTerms {
  readonly control: ProfileControl;
  readonly values: readonly ValueTerms[];
  /** Settings that it needs and that have no value. */
  readonly missing: readonly string[];
  /** The device's own timer as it works when everything is confirmed, ms; null when it has none. */
  readonly holdMs: number | null;
}

/** From what asks least of the owner to what asks most. */
const LEVELS: readonly (readonly Confirmation[])[] = [
  [],
  ["confirmUnverified"],
  ["confirmNoFailsafe"],
  ["confirmUnverified", "confirmNoFailsafe"],
];
const NEVER_WRITTEN = { monotonicMs: () => 0, sleep: async () => undefined };

/** The terms of each control, with the settings as the owner has them. */
export function controlTerms(
  profile: DeviceProfile,
  settings: Readonly<Record<string, number>> = {},
): readonly ControlTerms[] {
  const setting = (name: string): number | null => settings[name] ?? profile.settings?.[name]?.default ?? null;
  const levels = LEVELS.map((needs) => ({ needs, offered: offeredAt(profile, needs, setting) }));
  return profile.controls.map((control) => {
    const { point, write } = control;
    const values = "cases" in write ? write.cases.map(({ value }) => value) : [null];
    const unset = Object.keys(profile.settings ?? {}).filter((name) => setting(name) === null);
    return {
      control,
      values: values.map((value) => ({
        value,
        needs: levels.find((each) => takes(each.offered, point, value))?.needs ?? null,
      })),
      missing: unset.filter((name) => JSON.stringify(control).includes(`"setting":"${name}"`)),
      holdMs: levels.at(-1)?.offered.find((each) => each.point === point)?.holdMs ?? null,
    };
  });
}

function offeredAt(
  profile: DeviceProfile,
  needs: readonly Confirmation[],
  setting: (name: string) => number | null,
): readonly Control[] {
  return offeredControls(profile, {
    isTrusted: ({ confidence }) => confidence === "cross-checked" || needs.includes("confirmUnverified"),
    acceptsNoFailsafe: needs.includes("confirmNoFailsafe"),
    setting,
    scopeOf: () => ({}),
    written: new WrittenValues(NEVER_WRITTEN),
    clock: NEVER_WRITTEN,
  }).controls;
}

function takes(offered: readonly Control[], point: ControlPoint, value: PointValue | null): boolean {
  const control = offered.find((each) => each.point === point);
  return control !== undefined && (value === null || control.values?.includes(value) === true);
}
