import { expect } from "vitest";

export interface CountedExpect {
  <T>(value: T, message?: string): ReturnType<typeof expect<T>>;
  /** Fails if nothing was checked since the start or the last call. Called at the end of the test. */
  wasCalled(): void;
}

/**
 * An `expect` for what holds in some cases only, in a loop or a property: the test shows that such a case occurred.
 * `condition` is named when it did not.
 */
export function countedExpect(condition = "the condition of an expectation"): CountedExpect {
  let calls = 0;
  const counted = <T>(value: T, message?: string) => {
    calls += 1;
    return expect(value, message);
  };
  const wasCalled = (): void => {
    const since = calls;
    calls = 0;
    expect(since, `how often this occurred: ${condition}`).toBeGreaterThan(0);
  };
  return Object.assign(counted, { wasCalled });
}
