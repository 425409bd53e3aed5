/** What every page has at hand. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { House } from "./live/house.ts";

export type Role = "owner" | "installer" | "member" | "guest";

/** What a role may do. */
export type Right = "see" | "command" | "install" | "people";

/** Who is signed in. */
export interface Session {
  readonly account: { readonly id: string; readonly name: string; readonly role: Role };
  readonly rights: readonly Right[];
  readonly csrfToken: string;
}

export interface PageContext {
  readonly session: Session;
  readonly house: House;
  /** The gateway's clock, ms; it moves each second. */
  readonly nowMs: number;
  /** Called when the person has signed out. */
  readonly onLeave: () => void;
}

export const HouseContext = createContext<PageContext | null>(null);

export function usePage(): PageContext {
  const page = useContext(HouseContext);
  if (page === null) throw new Error("A page is shown inside of the frame only.");
  return page;
}

/** Returns true if the person who is signed in may do this. */
export function useRight(right: Right): boolean {
  return usePage().session.rights.includes(right);
}
