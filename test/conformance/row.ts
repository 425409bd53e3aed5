/** The table's own words: one row says one thing that the API does, and how it is seen from outside. */
import type { ReadFault } from "../../src/points/device-error.ts";

/** Dates of versions; every served one with "all"; a list names each. */
export type Versions = "all" | readonly string[] | { readonly from?: string; readonly before?: string };

/** A request. `{name}` in path, query and body stands for an id: of a device of the house, or one kept by an earlier step. */
export interface Ask {
  /** `GET /batteries/{battery}`. */
  readonly ask: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Parts of the answer that later requests use, by the name they use: a field of JSON (`{ action: "id" }`), or of a
   * page what the pattern's first group matches.
   */
  readonly keep?: Readonly<Record<string, string | RegExp>>;
  /** Virtual seconds that pass first. */
  readonly after?: number;
  /** Null: without a token. */
  readonly token?: string | null;
  /** Sent by a second client of the gateway. */
  readonly as?: "guest";
  /** The version of this request when it is not the row's; null: it names none. */
  readonly version?: string | null;
}

/** What happens in the house: a device shows something else, fails, or is what its owner did by hand. */
export interface Happening {
  /** A device of the house, as `house.ts` calls it. */
  readonly device: string;
  /** What its points show from now on. */
  readonly show?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** False: it answers no more. */
  readonly isUp?: boolean;
  /** Each read of it fails for this reason. */
  readonly failsBy?: ReadFault | "rejected" | "unauthorized";
  /** It answers nothing, and does not say no either. */
  readonly hangs?: true;
  /** Commands are taken and change nothing. */
  readonly ignoresCommands?: true;
  /** Virtual seconds that pass afterwards. */
  readonly after?: number;
}

/** What the receiver at `https://hooks.example/in` answers from now on. */
export interface Answering {
  readonly receiver: number;
}

/** What the receiver at `https://hooks.example/in` got. */
export interface Told {
  /** Some event contains this. */
  readonly told?: object;
  /** No event contains this. */
  readonly notTold?: object;
  /** How many requests it got in all. */
  readonly requests?: number;
  /** Headers that every request to it has. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The secret with which every request to it is signed. */
  readonly signedWith?: string;
  /** Virtual seconds that pass first. */
  readonly after?: number;
}

/** What an answer has to be. Whatever is not said is not looked at, except that every answer fits its description. */
export interface Expected {
  readonly status: number;
  /** What the body contains at least, as `toMatchObject` has it. */
  readonly body?: unknown;
  /** What the body is, to the last field. */
  readonly exactly?: unknown;
  /** A matcher of the body as text, for pages. */
  readonly text?: unknown;
  /** Paths that the body does not have. */
  readonly lacks?: readonly string[];
  /** No body at all. */
  readonly isEmpty?: true;
  /** Slug of the problem. */
  readonly problem?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface Row {
  /** The id of its heading in docs/interface: `I4.2`, `S9.1`. */
  readonly part: string;
  readonly statement: string;
  /** Every version when absent. */
  readonly versions?: Versions;
  /**
   * Asked of a house with devices in memory when absent; or of a sandbox, where devices are made up by the client; of
   * one whose devices may be read only; of one whose devices' locations may not be read; of one
   * whose devices report nothing; of one whose client may set limits; of one with the limits of a new gateway; of one with another name prefix; or of one
   * whose client is pinned to 2024-01-01.
   */
  readonly house?: "sandbox" | "operator" | "readOnly" | "unlocated" | "bare" | "limited" | "renamed" | "pinned";
  /** Done before, in order; each request has to succeed, or to redirect as a form does. */
  readonly given?: readonly (Ask | Happening | Answering)[];
  readonly request: Ask;
  readonly expect: Expected;
  /** What is seen afterwards. */
  readonly afterwards?: readonly ((Ask & { readonly expect: Expected }) | Happening | Answering | Told)[];
  /** Why the product does not do it. Such a row has to fail, so that the mark goes when it is done. */
  readonly unmet?: string;
}
