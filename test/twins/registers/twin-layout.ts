/** Where the registers of a twin stand. */
import type { TwinBehaviour } from "./twin-behaviour.ts";
import { type TwinRegister, twinWords } from "./twin-register.ts";

/** The registers where this device has them, with those that a table names only the first of. */
export function placed(table: readonly TwinRegister[], { copies = {}, shift }: TwinBehaviour): readonly TwinRegister[] {
  const all = table.flatMap((register) =>
    Array.from({ length: copies[register.id] ?? 1 }, (_unused, index) => ({
      ...register,
      id: index === 0 ? register.id : register.id.replace("1", String(index + 1)),
      address: register.address + index * twinWords(register),
    })),
  );
  if (shift === undefined) return all;
  const isMoved = ({ id, address }: TwinRegister): boolean => address >= shift.from && !id.startsWith("plate.");
  return all.map((each) => (isMoved(each) ? { ...each, address: each.address + shift.by } : each));
}

export function keyOf({ function: code, access }: TwinRegister, address: number): string {
  return access === "w" ? `w${address}` : `${code} ${address}`;
}

export function addressesOf(register: TwinRegister): readonly number[] {
  return Array.from({ length: twinWords(register) }, (_unused, index) => register.address + index);
}

export function overlaps(register: TwinRegister, address: number, count: number): boolean {
  return register.address < address + count && address < register.address + twinWords(register);
}
