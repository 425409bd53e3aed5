/** Reads of older versions that ask the device before the answer: `field[]` in the query (rules I4.4 to I4.6). */
import type { AssetKind } from "../../domain/assets/asset.ts";
import { type ProblemSlug, problem } from "../../domain/problem.ts";
import type { Engine, ReadFailure } from "../../engine/contracts/engine.ts";

export interface FieldReads {
  /**
   * Reads the device that a routed path leads to, or all of the user's where it leads to a list. False: a vehicle, or one
   * of a list, could not be read, and what is known is to be answered. Throws the vendor problems of rule I7.
   */
  read(kind: AssetKind, parameters: Readonly<Record<string, string>>, userId: string | null): Promise<boolean>;
}

/** Vehicles are often out of reach: their silence is no problem (rule I7, 206). */
const SILENCE: readonly ReadFailure[] = ["timeout", "unavailable"];

const PROBLEM_OF: Readonly<Record<ReadFailure, readonly [ProblemSlug, string]>> = {
  unauthorized: [
    "permanently-invalid-credentials",
    "The device, or its vendor, does not accept the credentials any more; link it again.",
  ],
  rejected: ["vendor-rejected", "The device, or its vendor, refused to be read."],
  "rate-limited": [
    "vendor-rate-limited",
    "The vendor, or the gateway's budget of requests to it, allows no further read now. Leave out `field[]` to read what is known.",
  ],
  asleep: ["should-not-disturb", "The vehicle sleeps. Leave out `field[]` to read what is known."],
  timeout: ["timeout", "The device did not answer in time. Leave out `field[]` to read what is known."],
  unavailable: [
    "vendor-unavailable",
    "The device, or its vendor, cannot be reached. Leave out `field[]` to read what is known.",
  ],
};

export function createFieldReads(engine: Pick<Engine, "assets" | "readNow">): FieldReads {
  const readAll = async (kind: AssetKind, userId: string | null): Promise<boolean> => {
    const own = engine.assets.list(kind).filter(({ asset }) => asset.userId === userId);
    const failures = await Promise.all(own.map(({ asset }) => engine.readNow(kind, asset.id)));
    return failures.every((failure) => failure === null);
  };
  return {
    async read(kind, parameters, userId) {
      const id = parameters[`${kind}Id`];
      if (id === undefined) return await readAll(kind, userId);
      // The route says that there is none.
      if (engine.assets.get(kind, id) === null) return true;
      const failure = await engine.readNow(kind, id);
      if (failure === null) return true;
      if (kind === "vehicle" && SILENCE.includes(failure)) return false;
      // Only vehicles sleep to save their battery; others are not connected to their vendor.
      const isAway = failure === "asleep" && kind !== "vehicle";
      throw problem(...PROBLEM_OF[isAway ? "unavailable" : failure]);
    },
  };
}
