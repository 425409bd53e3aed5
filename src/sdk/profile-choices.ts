/** What a profile leaves to the owner of a device, as fields of the link page, and the options that the answers make. */

import type { ControlPoint, PointValue } from "../points/points.ts";
import { type ConfirmedControls, isConfirmed } from "./confirmed-controls.ts";
import type { LinkDetail, LinkField, LinkWords } from "./linking.ts";
import type { ProfileSetting, Provenance } from "./profile.ts";
import { isForced } from "./unguarded.ts";

type Settings = Readonly<Record<string, ProfileSetting>>;

/** A control as far as it says how well it is known, in the words of any kind of profile. */
interface KnownControl extends Provenance {
  readonly point: ControlPoint;
  readonly write:
    | { readonly steps: readonly unknown[] }
    | { readonly cases: readonly (Partial<Provenance> & { readonly value: PointValue })[] };
  /** The device's own timer. */
  readonly hold?: Provenance;
}

/** What is off until the owner says `confirmUnverified` or `confirmNoFailsafe`. */
export interface HeldBack {
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
    "No two independent sources agree on how this device is told to do the following. A wrong command can change its settings or make it do something else. Tick this only if you try each of them and watch the device.",
  "de-DE":
    "Wie man dem Gerät Folgendes sagt, bestätigen keine zwei unabhängigen Quellen. Ein falscher Befehl kann Einstellungen ändern oder etwas anderes auslösen. Haken Sie das nur an, wenn Sie jede ausprobieren und das Gerät dabei beobachten.",
};
const NO_FAILSAFE_LABEL: LinkWords = {
  "en-US": "Allow commands that only the gateway ends",
  "de-DE": "Befehle erlauben, die nur das Gateway beendet",
};
const NO_FAILSAFE_HINT: LinkWords = {
  "en-US":
    "The device has no timer of its own that would end the following. If the gateway fails for good, it goes on until somebody ends it at the device. Tick this only if somebody can.",
  "de-DE":
    "Das Gerät hat keine eigene Zeitschaltung, die Folgendes beendet. Fällt das Gateway ganz aus, geht es weiter, bis es jemand am Gerät beendet. Haken Sie das nur an, wenn das jemand kann.",
};
const OFF_WITHOUT: LinkWords = {
  "en-US": "What needs this number stays off while it is empty.",
  "de-DE": "Was diese Zahl braucht, bleibt aus, solange sie fehlt.",
};

/**
 * The parts of controls that wait for the owner. A timer below `cross-checked` counts as none until it is confirmed, so
 * what needs it waits with it.
 */
export function heldBack(controls: readonly KnownControl[]): HeldBack {
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

/** The values that wait, in one detail for each source that they wait for; `doubt` answers null for one that does not. */
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

/** The timer that a state waits for, although its writes are trusted; null when it waits for none. */
function doubtedHold({ point, hold }: KnownControl, value: PointValue | null): Provenance | null {
  return isDoubted(hold) && value !== null && isForced(point, value) ? hold : null;
}

/** What a profile leaves to the owner. */
export interface Choices extends HeldBack {
  readonly settings?: Settings;
  /** What the settings' meanings are in other languages, by the English meaning. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The form of a device's settings and confirmations; `known` has the options that were decided before. */
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

/** What was decided, as a device's entry in the configuration says it. What was not ticked is not there. */
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

/** Options from the disk are what they were when they were written. */
function confirmedIn(known: Readonly<Record<string, unknown>> | null): ConfirmedControls {
  const confirmed = known?.["confirmUnverified"];
  return Array.isArray(confirmed) ? confirmed.map(String) : confirmed === true;
}

function settingsIn(known: Readonly<Record<string, unknown>> | null): Readonly<Record<string, number>> {
  const settings = known?.["settings"];
  if (typeof settings !== "object" || settings === null) return {};
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === "number"));
}
