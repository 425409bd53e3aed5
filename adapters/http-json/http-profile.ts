/** The vocabulary in which a device that answers HTTP requests is described as data. It survives JSON. */
import assert from "node:assert/strict";
import {
  type Condition,
  type Control,
  type ControlPoint,
  type Formula,
  formulaKeys,
  type PartRules,
  type PointName,
  type PointValue,
  type PollClass,
  type ProfileFormula,
  type ProfileSetting,
  type Provenance,
  partKeys,
} from "hemgate/sdk";
import { settingsIn } from "./path-settings.ts";
import { parsePath, referencesOf } from "./value-path.ts";

/** What an answer is read as: JSON, or the text of each XML element by its name, the first of a name. */
export type AnswerFormat = "json" | "elements";

/** A request that is sent again and again. */
export interface HttpPoll {
  readonly id: string;
  readonly poll: PollClass;
  /** Path and query; `{name}` stands for a setting. */
  readonly path: string;
  /** Default GET. */
  readonly method?: "GET" | "POST";
  /** JSON; sent with POST. */
  readonly body?: unknown;
  readonly format?: AnswerFormat;
  /** Devices of the family exist that refuse it: its points are null then, and it rests for a while. */
  readonly isOptional?: boolean;
  /** Said in the answer itself: what it has to be for the rest to count, and where the device says why not. */
  readonly expect?: { readonly path: string; readonly is: number | string | boolean; readonly reason?: string };
}

/** Where a value stands in an answer, and what it means. */
export interface HttpField {
  /** The id of the request. */
  readonly from: string;
  /** See `value-path.ts`. `{name}` stands for a setting. */
  readonly path: string;
  /** Default `number`. A state may be any of them. */
  readonly type?: "number" | "text" | "boolean" | "state";
  /** The device writes its numbers as text. */
  readonly isText?: boolean;
  /** value = given × scale; a negative scale flips the sign. */
  readonly scale?: number;
  /** Given values that mean "no value"; null and a missing one always do. */
  readonly sentinels?: readonly (number | string | boolean)[];
  /** What several numbers make; default the first. */
  readonly combine?: "sum" | "mean";
  /** Where the device says `true` when the value counts. */
  readonly validAt?: string;
}

/** One value of a device. Its key is a point, or a name that a derived point is made from. */
export interface HttpPoint extends HttpField, Provenance {
  readonly key: PointName | `raw.${string}`;
  /** For a state: what each given value means. One that is not listed reads as `otherwise`. */
  readonly states?: {
    readonly values: Readonly<Record<string, PointValue | null>>;
    readonly otherwise: PointValue | null;
  };
}

/** One request that writes. In `body`, `{ "$value": Formula }` stands for what the formula gives, `$text` for its text. */
export interface HttpWrite {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query; `{name}` stands for one of `values`, or a setting. */
  readonly path: string;
  readonly values?: Readonly<Record<string, Formula>>;
  readonly body?: unknown;
  /** What the answer has to say for the write to count. Any answer of status 2xx does when absent. */
  readonly acknowledge?: { readonly path: string; readonly is: Formula };
  /** The device keeps it in memory that wears: the point is read before, and what it holds already is not written. */
  readonly isStored?: boolean;
  /** The write is left out unless this holds. */
  readonly when?: Condition;
  readonly pauseMs?: number;
}

export interface HttpWriteCase extends Partial<Provenance> {
  readonly value: PointValue;
  readonly steps: readonly HttpWrite[];
}

export interface HttpControl extends Provenance {
  readonly point: ControlPoint;
  readonly range?: NonNullable<Control["range"]>;
  /** The least step that the device takes; values are rounded down to it. */
  readonly step?: number;
  readonly safeDefault: Control["safeDefault"];
  readonly write: { readonly steps: readonly HttpWrite[] } | { readonly cases: readonly HttpWriteCase[] };
  /** Between two writes that a device stores, ms. */
  readonly minGapMs?: number;
  /** The device's own reversion timer; every write restarts it. Absent: it keeps the value for good. */
  readonly hold?: Provenance & { readonly holdMs: number; readonly fallback: string };
  /** After this long a reading says what the device has, and no longer the last command (`lastWrite`), ms. Absent: never. */
  readonly shownWithinMs?: number;
  /** As `Control.renewMs`: for a timer that the owner may have set in the device. */
  readonly renewMs?: number;
  /** Where the device does less or more than the point says, for people. */
  readonly approximate?: string;
}

/** How requests to the device are authenticated. Names of credentials are those of the options. */
export type HttpAuth =
  | { readonly kind: "none" }
  /** Used when there is a password. */
  | { readonly kind: "basic" | "digest"; readonly username: string; readonly isOptional: boolean }
  /** The token in a header, after `prefix`. */
  | { readonly kind: "token"; readonly header: string; readonly prefix?: string; readonly isJwt?: boolean }
  /** In the query, used when there is a password. */
  | { readonly kind: "query"; readonly username: string; readonly usernameKey: string; readonly passwordKey: string }
  /** A sign-in that answers cookies. In `body`, `{username}` and `{password}` stand for them. */
  | {
      readonly kind: "cookies";
      readonly path: string;
      readonly body: Readonly<Record<string, string | boolean>>;
      readonly cookies: readonly string[];
      readonly username: string;
    }
  /** Kostal's challenge and response (SCRAM). */
  | { readonly kind: "plenticore"; readonly username: string };

/** A device as data. */
export interface HttpProfile {
  /** Kebab-case, vendor first; what the configuration calls it. */
  readonly id: string;
  readonly brand: string;
  readonly model: string;
  /** As `Driver.vendors`. */
  readonly vendors: readonly string[];
  /** As `Driver.isEnergyManager`. */
  readonly isEnergyManager?: boolean;
  readonly scheme: "http" | "https";
  readonly port: number;
  /** With https the device signs its own certificate, which is pinned. */
  readonly serverName?: string;
  /** Sent with every request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth: HttpAuth;
  /** Link by pressing a button on the device instead of typing a token. */
  readonly pairing?: "homewizard";
  readonly limits: { readonly timeoutMs: number; readonly minGapMs: number };
  /** How often each class is asked, ms. */
  readonly pollMs: Readonly<Record<PollClass, number>>;
  readonly polls: readonly [HttpPoll, ...HttpPoll[]];
  /** The first known field of each. */
  readonly identity?: Partial<Record<"manufacturer" | "model" | "serial" | "version" | "name", readonly HttpField[]>>;
  /** Why no answer tells a serial number, and by which source; only where `identity` has none. */
  readonly noSerial?: string;
  /** Why no answer tells a version of the software, as `noSerial`. */
  readonly noVersion?: string;
  /** Which parts a device of the family may lack, and how it is recognized that they are there. */
  readonly parts?: PartRules;
  readonly points: readonly HttpPoint[];
  readonly derived: readonly ProfileFormula[];
  readonly settings?: Readonly<Record<string, ProfileSetting>>;
  readonly controls: readonly HttpControl[];
  /** What an installer has to know: what to switch on, what the device does not like. */
  readonly notes: readonly string[];
}

/** Declares a device. A profile that contradicts itself is a bug and throws here, at load. */
export function defineHttpProfile(profile: HttpProfile): HttpProfile {
  const { id, polls, points, controls, identity = {} } = profile;
  assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/, `profile id ${id}`);
  assert(identity.serial === undefined || profile.noSerial === undefined, `${id}: it has a serial number`);
  assert(identity.version === undefined || profile.noVersion === undefined, `${id}: it has a version`);
  const requests = new Set(polls.map((poll) => poll.id));
  assert.equal(requests.size, polls.length, `${id}: two requests have the same id`);
  const keys = new Set<string>(points.map(({ key }) => key));
  assert.equal(keys.size, points.length, `${id}: two points have the same key`);
  for (const field of [...points, ...Object.values(identity).flat()]) {
    assert(requests.has(field.from), `${id}: nothing asks for ${field.from}`);
    for (const key of referencesOf(parsePath(field.path))) assert(keys.has(key), `${id}: ${field.path} needs ${key}`);
  }
  for (const { point, value } of profile.derived) {
    for (const key of formulaKeys(value)) assert(keys.has(key), `${id}: ${point} is made from ${key}, not read`);
    assert(!keys.has(point), `${id}: ${point} is both read and derived`);
  }
  for (const key of partKeys(profile.parts ?? {}))
    assert(keys.has(key), `${id}: a part is recognized by ${key}, not read`);
  const settings = Object.keys(profile.settings ?? {});
  for (const path of [...polls, ...points].map((each) => each.path)) {
    for (const name of settingsIn(path)) assert(settings.includes(name), `${id}: ${path} needs a setting ${name}`);
  }
  for (const { point, write } of controls) {
    const recipes = "steps" in write ? [write.steps] : write.cases.map(({ steps }) => steps);
    for (const steps of recipes) assert(steps.length > 0, `${id}: ${point} writes nothing`);
  }
  return profile;
}
