import { expect } from "vitest";

interface CountedExpect {
  <T>(value: T, message?: string): ReturnType<typeof expect<T>>;
  /** Fails if nothing was checked. Called at the end of the test. */
  wasCalled(): void;
}

/** An `expect` for what holds in some cases only, in a loop or a property: the test shows that such a case occurred. */
export function countedExpect(): CountedExpect {
  let calls = 0;
  const counted = <T>(value: T, message?: string) => {
    calls += 1;
    return expect(value, message);
  };
  const wasCalled = (): void => {
    expect(calls, "how often the condition of an expectation held").toBeGreaterThan(0);
  };
  return Object.assign(counted, { wasCalled });
}
