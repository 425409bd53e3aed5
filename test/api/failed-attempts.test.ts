import { describe, expect, it } from "vitest";
import { createFailedAttempts } from "../../src/api/failed-attempts.ts";
import { VirtualClock } from "../../src/testing/index.ts";

function failing(address: string, times: number, clock = new VirtualClock()) {
  const attempts = createFailedAttempts(clock);
  for (let count = 0; count < times; count += 1) attempts.note(address);
  return { attempts, clock };
}

describe("an address that failed", () => {
  it("nine times may try again", () => {
    expect(failing("10.0.0.1", 9).attempts.waitMs("10.0.0.1")).toBe(0);
  });

  it("ten times waits until its oldest failure is a minute ago", async () => {
    const { attempts, clock } = failing("10.0.0.1", 1);
    await clock.advance(20_000);
    for (let count = 0; count < 9; count += 1) attempts.note("10.0.0.1");
    expect(attempts.waitMs("10.0.0.1")).toBe(40_000);
    await clock.advance(40_000);
    expect(attempts.waitMs("10.0.0.1")).toBe(0);
  });

  it("blocks its whole /64 on IPv6, and no other", () => {
    const { attempts } = failing("2001:db8:0:1::a", 10);
    expect(attempts.waitMs("2001:db8:0:1:ffff::b")).toBeGreaterThan(0);
    expect(attempts.waitMs("2001:0db8::1:0:0:0:c")).toBeGreaterThan(0);
    expect(attempts.waitMs("2001:db8:0:2::a")).toBe(0);
  });

  it("is the same when IPv6 wraps its IPv4 address", () => {
    expect(failing("::ffff:10.0.0.1", 10).attempts.waitMs("10.0.0.1")).toBeGreaterThan(0);
  });

  it("is forgotten first when a thousand others failed after it", () => {
    const { attempts } = failing("10.0.0.1", 10);
    for (let host = 0; host < 1_000; host += 1) attempts.note(`10.1.${host >> 8}.${host & 255}`);
    expect(attempts.waitMs("10.0.0.1")).toBe(0);
  });
});
