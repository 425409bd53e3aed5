import { describe, expect, it } from "vitest";
import { createFailedAttempts } from "../../../src/api/clients/failed-attempts.ts";
import { VirtualClock } from "../../../src/testing/index.ts";

function failing(address: string, times: number, clock = new VirtualClock()) {
  const attempts = createFailedAttempts(clock);
  for (let count = 0; count < times; count += 1) attempts.note({ address, clientId: "a" });
  return { attempts, clock };
}

describe("an address that failed for one client", () => {
  it("nine times may try again", () => {
    expect(failing("10.0.0.1", 9).attempts.waitMs({ address: "10.0.0.1", clientId: "a" })).toBe(0);
  });

  it("ten times waits until its oldest failure is a minute ago", async () => {
    const { attempts, clock } = failing("10.0.0.1", 1);
    await clock.advance(20_000);
    for (let count = 0; count < 9; count += 1) attempts.note({ address: "10.0.0.1", clientId: "a" });
    expect(attempts.waitMs({ address: "10.0.0.1", clientId: "a" })).toBe(40_000);
    await clock.advance(40_000);
    expect(attempts.waitMs({ address: "10.0.0.1", clientId: "a" })).toBe(0);
  });

  it("blocks its whole /64 on IPv6, and no other", () => {
    const { attempts } = failing("2001:db8:0:1::a", 10);
    expect(attempts.waitMs({ address: "2001:db8:0:1:ffff::b", clientId: "a" })).toBeGreaterThan(0);
    expect(attempts.waitMs({ address: "2001:0db8::1:0:0:0:c", clientId: "a" })).toBeGreaterThan(0);
    expect(attempts.waitMs({ address: "2001:db8:0:2::a", clientId: "a" })).toBe(0);
  });

  it("is the same when IPv6 wraps its IPv4 address", () => {
    expect(failing("::ffff:10.0.0.1", 10).attempts.waitMs({ address: "10.0.0.1", clientId: "a" })).toBeGreaterThan(0);
  });

  it("is forgotten first when a thousand others failed after it", () => {
    const { attempts } = failing("10.0.0.1", 10);
    for (let host = 0; host < 1_000; host += 1)
      attempts.note({ address: `10.1.${host >> 8}.${host & 255}`, clientId: "a" });
    expect(attempts.waitMs({ address: "10.0.0.1", clientId: "a" })).toBe(0);
  });

  it("may try for another client, until it failed thirty times in all", () => {
    const { attempts } = failing("10.0.0.1", 10);
    const other = { address: "10.0.0.1", clientId: "b" };
    expect(attempts.waitMs(other)).toBe(0);
    for (let count = 0; count < 20; count += 1) attempts.note({ address: "10.0.0.1", clientId: `guess ${count}` });
    expect(attempts.waitMs(other)).toBe(60_000);
  });

  it("is clean again a minute later", async () => {
    const { attempts, clock } = failing("10.0.0.1", 1);
    expect([attempts.isClean("10.0.0.1"), attempts.isClean("10.0.0.2")]).toEqual([false, true]);
    await clock.advance(60_000);
    expect(attempts.isClean("10.0.0.1")).toBe(true);
  });
});
