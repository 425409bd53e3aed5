/** How mutations change an answer: at places of its JSON, or as a whole. */

import type { SimWebAnswer } from "../../../../src/testing/network/sim-web.ts";
import type { SeededRandom } from "../../../../src/testing/seeded-random.ts";

/** What a mutation may draw on, beside the answer. */
export interface Chance {
  readonly random: SeededRandom;
  /** Wall clock, ms. */
  readonly nowMs: number;
  /** What the cloud answered to something else before; null: this is the first. */
  readonly other: SimWebAnswer | null;
}

export interface Mutation {
  readonly name: string;
  change(answer: SimWebAnswer, chance: Chance): SimWebAnswer;
}

/** A value within a document, with who holds it. */
export interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly value: unknown;
}

/** Takes the value out of its holder. */
export const DROP = Symbol("drop");
/** The places of one answer that a mutation changes, at most, unless it changes all. */
const MOST_PLACES = 3;
const ALL_PLACES_SHARE = 0.2;
/** A share of mutations goes to all values of one name: a firmware that writes a field in another way. */
const SAME_NAME_SHARE = 0.4;

function placesIn(document: unknown): Place[] {
  if (typeof document !== "object" || document === null) return [];
  const holder = document as Place["holder"];
  return Object.entries(holder).flatMap(([key, value]) => [{ holder, key, value }, ...placesIn(value)]);
}

function put({ holder, key }: Place, value: unknown): void {
  if (value === DROP && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (value === DROP) delete holder[key as keyof typeof holder];
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function chosen(places: readonly Place[], random: SeededRandom): readonly Place[] {
  const [first, ...rest] = places;
  if (first === undefined || random.isChance(ALL_PLACES_SHARE)) return places;
  const one = random.pick([first, ...rest]);
  if (random.isChance(SAME_NAME_SHARE)) return places.filter(({ key }) => key === one.key);
  const more = Array.from({ length: random.below(MOST_PLACES) }, () => random.pick([first, ...rest]));
  return [one, ...more];
}

/** A mutation of values that fit. `to` gives what comes instead of a value. */
export function ofValues(
  name: string,
  fits: (value: unknown) => boolean,
  to: (place: Place, chance: Chance) => unknown,
): Mutation {
  return ofDocument(name, (document, chance) => {
    const root = { document };
    const places = placesIn(root).filter(({ value }) => fits(value));
    for (const place of chosen(places, chance.random).toReversed()) put(place, to(place, chance));
    return root.document;
  });
}

/** A mutation of the whole document; an answer that is no JSON stays as it is. */
export function ofDocument(name: string, to: (document: unknown, chance: Chance) => unknown): Mutation {
  return {
    name,
    change(answer, chance) {
      const document = parsed(answer.body ?? "");
      if (document === undefined) return answer;
      const text = JSON.stringify(to(document, chance)) ?? "";
      return { ...answer, body: text.replaceAll(/"raw:([^"]*)"/g, "$1") };
    },
  };
}

/** Stands in a document for a token that JSON.stringify would not write. */
export function raw(token: string): string {
  return `raw:${token}`;
}

/** The same answer with another status. */
export function withStatus(status: number, headers: Readonly<Record<string, string>> = {}): Mutation {
  return {
    name: `status ${status}`,
    change: (answer) => ({ ...answer, status, headers: { ...answer.headers, ...headers } }),
  };
}

export function ofAnswer(name: string, change: Mutation["change"]): Mutation {
  return { name, change };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
