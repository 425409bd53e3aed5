/** A twin's registers as they were at a moment. */
import type { RegisterTwin } from "../twins/registers/register-twin.ts";
import type { TwinRegister } from "../twins/registers/twin-register.ts";
import { isTwinNumber, sentinelWords } from "../twins/registers/twin-register.ts";

/** As much of a twin as is needed to work out what it tells. */
export type Facts = Pick<RegisterTwin, "has" | "value" | "number" | "registers" | "effect">;

export interface Moment extends Facts {
  readonly isPluggedIn: boolean;
}

/** Copies what a twin holds. `isDark`: it is up, and says "no value" wherever it can, and 0 elsewhere. */
export function momentOf(
  twin: RegisterTwin,
  { isPluggedIn, isDark }: { isPluggedIn: boolean; isDark: boolean },
): Moment {
  const { registers, effect } = twin;
  const values = new Map<string, ReturnType<RegisterTwin["value"]>>();
  for (const register of registers) {
    if (isTwinNumber(register))
      values.set(register.id, isDark && !isSetting(register) ? dark(register) : twin.value(register.id));
  }
  const value = (id: string): ReturnType<RegisterTwin["value"]> => values.get(id) ?? null;
  return {
    registers,
    effect,
    isPluggedIn,
    has: (id) => twin.has(id),
    value,
    number(id) {
      const held = value(id);
      return typeof held === "number" ? held : 0;
    },
  };
}

/** A moment whose values of some registers are those of another: what is read in two requests may be. */
export function torn(first: Moment, second: Moment, fromSecond: ReadonlySet<string>): Moment {
  return { ...first, value: (id) => (fromSecond.has(id) ? second : first).value(id) };
}

export function isSetting({ access }: TwinRegister): boolean {
  return access !== undefined && access !== "r";
}

function dark(register: TwinRegister): number | null {
  return sentinelWords(register) === null ? 0 : null;
}
