import { setTimeout as pause } from "node:timers/promises";

const EVERY_MS = 20;
const LIMIT_MS = 60_000;

/** Asks again and again until something is there; other programs do not tell when it is. */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  limitMs = LIMIT_MS,
): Promise<NonNullable<Found>> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found as NonNullable<Found>;
    await pause(EVERY_MS);
  }
  throw new Error(`it did not come: ${look}`);
}
