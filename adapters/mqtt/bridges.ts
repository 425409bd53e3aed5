import type { Bridge } from "./bridge.ts";
import { opendtu } from "./opendtu/opendtu.ts";

/** All bridges, by name. */
export const BRIDGES: readonly Bridge[] = [opendtu].toSorted((a, b) => a.name.localeCompare(b.name));
