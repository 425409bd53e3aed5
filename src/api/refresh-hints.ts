/** Hints to read a device early: one a device in half a minute, further ones are merged (rule S9.4). */
import type { AssetKind } from "../domain/assets/asset.ts";
import type { Engine } from "../engine/contracts/engine.ts";
import type { Clock } from "../platform/ports/ports.ts";

const HINT_EVERY_MS = 30_000;
/** Devices whose last hint is remembered; a house has fewer. */
const MAX_REMEMBERED = 5_000;

export interface RefreshHints extends Disposable {
  /** Passes the hint on, at once or merged with others as soon as it may. False: there is no such asset. */
  give(kind: AssetKind, id: string): boolean;
}

interface Hinted {
  /** Monotonic ms of the last hint that was passed on. */
  readonly atMs: number;
  /** What will pass on the hints that came since; null when none did. */
  readonly next: Disposable | null;
}

export function createRefreshHints(
  engine: Pick<Engine, "assets" | "refreshHint">,
  clock: Pick<Clock, "monotonicMs" | "timer">,
): RefreshHints {
  const hinted = new Map<string, Hinted>();
  let isClosed = false;

  const pass = (kind: AssetKind, id: string): boolean => {
    const isKnown = engine.refreshHint(kind, id);
    hinted.delete(id);
    if (isKnown) hinted.set(id, { atMs: clock.monotonicMs(), next: null });
    for (const [oldest, { next }] of hinted) {
      if (hinted.size <= MAX_REMEMBERED) break;
      next?.[Symbol.dispose]();
      hinted.delete(oldest);
    }
    return isKnown;
  };

  return {
    give(kind, id) {
      if (engine.assets.get(kind, id) === null) return false;
      const last = hinted.get(id);
      const waitMs = last === undefined ? 0 : last.atMs + HINT_EVERY_MS - clock.monotonicMs();
      if (last === undefined || waitMs <= 0) return pass(kind, id);
      if (last.next === null && !isClosed) {
        hinted.set(id, { ...last, next: clock.timer(waitMs, () => void pass(kind, id)) });
      }
      return true;
    },
    [Symbol.dispose]() {
      isClosed = true;
      for (const { next } of hinted.values()) next?.[Symbol.dispose]();
      hinted.clear();
    },
  };
}
