/** Ways to spoil documents and bytes. */
import type { SeededRandom } from "hemgate/testing";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values that stand where a number or an object was promised. None is a number that a device could mean. */
const NONSENSE: readonly [Json, ...Json[]] = [
  null,
  true,
  false,
  "",
  "nan",
  "∞",
  "1e999",
  "0x10",
  "__proto__",
  [],
  {},
  [null],
  { length: -1 },
  "constructor",
];

/** A document with some of its values replaced by nonsense, left out, or wrapped. It gets no number that it had not. */
export function spoiledJson(document: unknown, random: SeededRandom, share = 0.05): unknown {
  if (random.isChance(share)) return random.pick(NONSENSE);
  if (Array.isArray(document)) {
    const kept = document.filter(() => !random.isChance(share / 2));
    return kept.map((each) => spoiledJson(each, random, share));
  }
  if (typeof document !== "object" || document === null) return document;
  const entries = Object.entries(document).filter(() => !random.isChance(share / 2));
  return Object.fromEntries(entries.map(([key, value]) => [key, spoiledJson(value, random, share)]));
}

/** A text with letters lost, doubled, changed, or cut off. */
export function spoiledText(text: string, random: SeededRandom): string {
  let spoiled = text;
  for (let turn = random.below(4); turn >= 0; turn -= 1) {
    const at = random.below(spoiled.length + 1);
    const end = Math.min(spoiled.length, at + random.below(20));
    const middle = random.pick([
      "",
      spoiled.slice(at, end).repeat(2),
      "\0",
      "{",
      "]",
      ": ",
      "\n",
      "&a *a",
      "9".repeat(400),
      "é",
    ]);
    spoiled = spoiled.slice(0, at) + middle + spoiled.slice(end);
  }
  return random.isChance(0.1) ? spoiled.slice(0, random.below(spoiled.length + 1)) : spoiled;
}

/** All of it in pieces of any size. */
export function pieces(bytes: Uint8Array, random: SeededRandom): Uint8Array[] {
  const all: Uint8Array[] = [];
  const most = random.pick([1, 16, 300, bytes.length]);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(most);
    all.push(bytes.slice(at, end));
    at = end;
  }
  return all;
}
