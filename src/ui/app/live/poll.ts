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

/** Asks for `path` now and each `everyMs`; 0: once. `null` as path: not yet. */
export function usePolled<Value>(path: string | null, everyMs: number): Polled<Value> {
  const [state, setState] = useState<Pick<Polled<Value>, "value" | "error">>({ value: null, error: null });
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (path === null) return;
    let isOver = false;
    const look = (): void => {
      if (document.visibilityState === "hidden") return;
      ask<Value>("GET", path)
        .then((value) => isOver || setState({ value, error: null }))
        .catch((error: unknown) => {
          if (isOver || !(error instanceof ApiError)) return;
          setState(({ value }) => ({ value, error }));
        });
    };
    look();
    const timer = everyMs === 0 ? undefined : setInterval(look, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [path, everyMs, count]);
  return { ...state, refresh: useCallback(() => setCount((before) => before + 1), []) };
}
