/** Answers of the API that are asked for again while they are shown. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError, ask } from "../api.ts";

export interface Polled<Value> {
  /** `null` before the first answer. */
  readonly value: Value | null;
  /** Why the last question was not answered. */
  readonly error: ApiError | null;
  /** Asks at once. */
  readonly refresh: () => void;
}

/** Time after which a gateway that did not answer is asked again, ms. */
const AGAIN_MS = 3_000;

/**
 * Asks for `path` now and each `everyMs`; 0: once. `null` as path: not yet. A page that was hidden asks when it is shown
 * again, and a gateway that does not answer is asked again by itself.
 */
export function usePolled<Value>(path: string | null, everyMs: number): Polled<Value> {
  const [state, setState] = useState<Pick<Polled<Value>, "value" | "error">>({ value: null, error: null });
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (path === null) return;
    let isOver = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    let isMissed = false;
    const look = (): void => {
      isMissed = document.visibilityState === "hidden";
      if (isMissed) return;
      clearTimeout(again);
      ask<Value>("GET", path)
        .then((value) => isOver || setState({ value, error: null }))
        .catch((error: unknown) => {
          if (isOver || !(error instanceof ApiError)) return;
          if (isAway(error)) again = setTimeout(look, AGAIN_MS);
          setState(({ value }) => ({ value, error }));
        });
    };
    const shown = (): void => {
      if (isMissed) look();
    };
    look();
    const timer = everyMs === 0 ? undefined : setInterval(look, everyMs);
    document.addEventListener("visibilitychange", shown);
    return () => {
      isOver = true;
      clearInterval(timer);
      clearTimeout(again);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [path, everyMs, count]);
  return { ...state, refresh: useCallback(() => setCount((before) => before + 1), []) };
}

/** The gateway does not answer, or is about to stop. */
export function isAway({ status }: ApiError): boolean {
  return status === 0 || status === 503;
}
