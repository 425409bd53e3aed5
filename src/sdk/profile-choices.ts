/** The choices that a profile leaves to the owner: the fields of the link page for them, and the resulting options. */

import type { LinkDetail, LinkField, LinkWords } from "../domain/linking/link-form.ts";
import type { ControlPoint, PointValue } from "../points/points.ts";
import { type ConfirmedControls, confirmedProblem, isConfirmed } from "./confirmed-controls.ts";
import { isForced } from "./failsafe.ts";
import type { OptionProblem } from "./option-problem.ts";
import type { ProfileSetting, Provenance } from "./profile.ts";

type Settings = Readonly<Record<string, ProfileSetting>>;

/** The part of a control that says how reliable its description is, for any kind of profile. */
interface KnownControl extends Provenance {
  readonly point: ControlPoint;
  readonly write:
    | { readonly steps: readonly unknown[] }
    | { readonly cases: readonly (Partial<Provenance> & { readonly value: PointValue })[] };
  /** The device's reversion timer. */
  readonly hold?: Provenance;
}

/** The controls that are off until the owner sets `confirmUnverified` or `confirmNoFailsafe`. */
export interface WithheldControls {
  readonly unverified: readonly LinkDetail[];
  readonly noFailsafe: readonly LinkDetail[];
}

const SETTING = "settings.";
const TICKED = "yes";

const UNVERIFIED_LABEL: LinkWords = {
  "en-US": "Turn on controls that are not verified",
  "de-DE": "Ungeprüfte Steuerungen einschalten",
};
const UNVERIFIED_HINT: LinkWords = {
  "en-US":
    "No two independent sources agree on how the following is controlled. A wrong command can change settings of the device or make it do something else. Check this only if you try each of them and watch the device.",
  "de-DE":
    "Wie Folgendes gesteuert wird, bestätigen keine zwei unabhängigen Quellen. Ein falscher Befehl kann Einstellungen des Geräts ändern oder etwas anderes auslösen. Haken Sie das nur an, wenn Sie jede Steuerung ausprobieren und das Gerät dabei beobachten.",
};
const NO_FAILSAFE_LABEL: LinkWords = {
  "en-US": "Allow commands that only the gateway ends",
  "de-DE": "Befehle erlauben, die nur das Gateway beendet",
};
const NO_FAILSAFE_HINT: LinkWords = {
  "en-US":
    "The device has no timer that ends the following. If the gateway fails for good, it continues until somebody ends it at the device. Check this only if somebody can do that.",
  "de-DE":
    "Das Gerät hat keine eigene Zeitschaltung, die Folgendes beendet. Fällt das Gateway ganz aus, geht es weiter, bis es jemand am Gerät beendet. Haken Sie das nur an, wenn das jemand kann.",
};
const OFF_WITHOUT: LinkWords = {
  "en-US": "Functions that need this number stay off while the field is empty.",
  "de-DE": "Funktionen, die diese Zahl brauchen, bleiben aus, solange das Feld leer ist.",
};

/**
 * Returns the controls, and values of controls, that need the owner's confirmation. A timer that is less reliable than
 * `cross-checked` does not count until it is confirmed, so the values that need it wait for it too.
 */
export function withheldControls(controls: readonly KnownControl[]): WithheldControls {
  return {
    unverified: controls.flatMap((control) => [
      ...gathered(control, (value, known) => (isTrusted(known) ? doubtedHold(control, value) : known)),
      ...(isDoubted(control.hold) ? [{ ...detail(control, control.hold, null), isTimer: true }] : []),
    ]),
    noFailsafe: controls.flatMap((control) =>
      gathered(control, (value, known) =>
        control.hold === undefined && value !== null && isForced(control.point, value) ? known : null,
      ),
    ),
  };
}

/** Groups the values that need confirmation by their source; `doubt` returns `null` for a value that needs none. */
function gathered(
  control: KnownControl,
  doubt: (value: PointValue | null, known: Provenance) => Provenance | null,
): readonly LinkDetail[] {
  const { write } = control;
  if ("steps" in write) {
    const doubted = doubt(null, control);
    return doubted === null ? [] : [detail(control, doubted, null)];
  }
  const details = new Map<string, LinkDetail>();
  for (const each of write.cases) {
    const doubted = doubt(each.value, isTrusted(control) ? { ...control, ...each } : control);
    if (doubted === null) continue;
    const place = `${doubted.confidence} ${doubted.source}`;
    const values = [...(details.get(place)?.values ?? []), each.value];
    details.set(place, detail(control, doubted, values));
  }
  return [...details.values()];
}

function detail(
  { point }: KnownControl,
  { confidence, source }: Provenance,
  values: readonly PointValue[] | null,
): LinkDetail {
  return { point, values, confidence, source, isTimer: false };
}

function isTrusted({ confidence }: Provenance): boolean {
  return confidence === "cross-checked";
}

function isDoubted(hold: Provenance | undefined): hold is Provenance {
  return hold !== undefined && !isTrusted(hold);
}

/** Returns the unconfirmed timer that a value needs although its writes are trusted; `null` if it needs none. */
function doubtedHold({ point, hold }: KnownControl, value: PointValue | null): Provenance | null {
  return isDoubted(hold) && value !== null && isForced(point, value) ? hold : null;
}

/** The choices that a profile leaves to the owner. */
export interface Choices extends WithheldControls {
  readonly settings?: Settings;
  /** Translations of the settings' meanings, by the English meaning. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Returns the form for a device's settings and confirmations; `known` has the present options as initial values. */
export function choiceFields(
  { settings = {}, words = {}, unverified, noFailsafe }: Choices,
  known: Readonly<Record<string, unknown>> | null,
): readonly LinkField[] {
  const before = settingsIn(known);
  const fields = Object.entries(settings).map(([name, setting]): LinkField => {
    const { unit, min, max, meaning } = setting;
    const initial = before[name] ?? setting.default;
    return {
      name: SETTING + name,
      kind: "number",
      label: { ...words[meaning], "en-US": meaning },
      unit,
      min,
      max,
      ...(initial === undefined ? {} : { initial: String(initial) }),
      ...(setting.default === undefined ? { isOptional: true, hint: OFF_WITHOUT } : {}),
    };
  });
  return [...fields, ...unverifiedField(unverified, known), ...noFailsafeField(noFailsafe, known)];
}

function unverifiedField(
  details: readonly LinkDetail[],
  known: Readonly<Record<string, unknown>> | null,
): readonly LinkField[] {
  if (details.length === 0) return [];
  const before = confirmedIn(known);
  const ticked = [...new Set(details.map(({ point }) => point))].filter((point) => isConfirmed(before, point));
  return [
    {
      name: "confirmUnverified",
      kind: "confirm",
      label: UNVERIFIED_LABEL,
      hint: UNVERIFIED_HINT,
      details,
      isPerControl: true,
      isOptional: true,
      ...(ticked.length === 0 ? {} : { initial: ticked.join(" ") }),
    },
  ];
}

function noFailsafeField(
  details: readonly LinkDetail[],
  known: Readonly<Record<string, unknown>> | null,
): readonly LinkField[] {
  if (details.length === 0) return [];
  const initial = known?.["confirmNoFailsafe"] === true ? { initial: TICKED } : {};
  const words = { label: NO_FAILSAFE_LABEL, hint: NO_FAILSAFE_HINT };
  return [{ name: "confirmNoFailsafe", kind: "confirm", ...words, details, isOptional: true, ...initial }];
}

/** Converts the values of the form to options of the device's entry in the configuration. Unchecked boxes are left out. */
export function chosenOptions(values: Readonly<Record<string, string>>): {
  readonly settings?: Readonly<Record<string, number>>;
  readonly confirmUnverified?: readonly string[];
  readonly confirmNoFailsafe?: true;
} {
  const settings = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(SETTING) && value !== "" ? [[name.slice(SETTING.length), Number(value)] as const] : [],
  );
  const confirmed = (values["confirmUnverified"] ?? "").split(" ").filter((name) => name !== "");
  return {
    ...(settings.length === 0 ? {} : { settings: Object.fromEntries(settings) }),
    ...(confirmed.length === 0 ? {} : { confirmUnverified: confirmed }),
    ...(values["confirmNoFailsafe"] === TICKED ? { confirmNoFailsafe: true as const } : {}),
  };
}

/** Reads the confirmed controls from stored options, which may have been written by an older version. */
function confirmedIn(known: Readonly<Record<string, unknown>> | null): ConfirmedControls {
  const confirmed = known?.["confirmUnverified"];
  return Array.isArray(confirmed) ? confirmed.map(String) : confirmed === true;
}

function settingsIn(known: Readonly<Record<string, unknown>> | null): Readonly<Record<string, number>> {
  const settings = known?.["settings"];
  if (typeof settings !== "object" || settings === null) return {};
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === "number"));
}

/** The part of a profile of any kind that the owner's choices are checked against. */
interface Decided {
  readonly id: string;
  readonly settings?: Readonly<Record<string, ProfileSetting>>;
  readonly controls: readonly { readonly point: ControlPoint }[];
}

/** Returns what is wrong with the first invalid choice of an owner; `null` if all are valid. */
export function choicesProblem(
  profile: Decided,
  choices: { readonly settings: Readonly<Record<string, number>>; readonly confirmUnverified: ConfirmedControls },
): OptionProblem | null {
  const { id, settings = {}, controls } = profile;
  return (
    unknownSetting(id, Object.keys(settings), choices.settings) ??
    settingOutOfRange(settings, choices.settings) ??
    confirmedProblem(
      id,
      choices.confirmUnverified,
      controls.map(({ point }) => point),
    )
  );
}

/** Returns what is wrong with the first setting whose name is unknown; `null` if all are known. `id` is the profile's. */
export function unknownSetting(
  id: string,
  names: readonly string[],
  settings: Readonly<Record<string, number>>,
): OptionProblem | null {
  const unknown = Object.keys(settings).find((name) => !names.includes(name));
  if (unknown === undefined) return null;
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  return { path: ["settings", unknown], message: `${id} has no such setting; ${known}`, validNames: names };
}

function settingOutOfRange(
  settings: Readonly<Record<string, ProfileSetting>>,
  chosen: Readonly<Record<string, number>>,
): OptionProblem | null {
  for (const [name, { min, max, unit, meaning }] of Object.entries(settings)) {
    const value = chosen[name];
    if (value === undefined || (value >= min && value <= max)) continue;
    const range = `from ${min} to ${max}${unit === "" ? "" : ` ${unit}`}`;
    return { path: ["settings", name], message: `${value} is not ${range} (${meaning})` };
  }
  return null;
}
