/** What every page has at hand. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { House } from "./live/house.ts";

export type Role = "owner" | "installer" | "member" | "guest";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export interface PageContext {
  readonly account: Account;
  readonly house: House;
  /** The gateway's clock, ms; it moves each second. */
  readonly nowMs: number;
}

export const HouseContext = createContext<PageContext | null>(null);

export function usePage(): PageContext {
  const page = useContext(HouseContext);
  if (page === null) throw new Error("A page is shown inside of the frame only.");
  return page;
}

/** Guests see; everybody else commands. */
export function mayCommand({ role }: Account): boolean {
  return role !== "guest";
}

/** Members use the house; owners and installers change it. */
export function mayInstall({ role }: Account): boolean {
  return role === "owner" || role === "installer";
}
