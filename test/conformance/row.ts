/** The table's own words: one row says one thing that the API does, and how it is seen from outside. */

/** Dates of versions; every served one with "all". */
export type Versions = "all" | { readonly from?: string; readonly before?: string };

/** A request. `{name}` in path, query and body stands for an id: of a device of the house, or one kept by an earlier step. */
export interface Ask {
  /** `GET /batteries/{battery}`. */
  readonly ask: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answer fields that later requests use, by the name they use: `{ action: "id" }`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Virtual seconds that pass first. */
  readonly after?: number;
  /** Null: without a token. */
  readonly token?: string | null;
  /** The version of this request when it is not the row's. */
  readonly version?: string;
}

/** What an answer has to be. Whatever is not said is not looked at, except that every answer fits its description. */
export interface Expected {
  readonly status: number;
  /** What the body contains at least, as `toMatchObject` has it. */
  readonly body?: unknown;
  /** What the body is, to the last field. */
  readonly exactly?: unknown;
  /** Paths that the body does not have. */
  readonly lacks?: readonly string[];
  /** No body at all. */
  readonly isEmpty?: true;
  /** Slug of the problem. */
  readonly problem?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface Row {
  /** Of the interface, `4.2`, or of the supplement, `S9.1`. */
  readonly part: string;
  readonly statement: string;
  /** Every version when absent. */
  readonly versions?: Versions;
  /** Sent before, in order; each has to succeed. */
  readonly given?: readonly Ask[];
  readonly request: Ask;
  readonly expect: Expected;
  /** What is seen afterwards. */
  readonly afterwards?: readonly (Ask & { readonly expect: Expected })[];
  /** Why the product does not do it. Such a row has to fail, so that the mark goes when it is done. */
  readonly unmet?: string;
}
