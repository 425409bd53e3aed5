/** The invariants of actions, overrides, controllers and credentials, each broken on purpose. */
import { describe, expect, test } from "vitest";
import { ActionLife } from "../../long-run/invariants/action-life.ts";
import { credentialBreaches } from "../../long-run/invariants/credentials.ts";
import { controllerBreaches } from "../../long-run/invariants/one-controller.ts";
import { overrideBreaches } from "../../long-run/invariants/override-peace.ts";

function told(state: string, reason: string | null = null) {
  const failureReason = reason === null ? null : { type: reason, detail: "" };
  const completedAt = state === "PENDING" ? null : "2026-06-21T00:00:00.000Z";
  return {
    event: "user:vendor-action:updated",
    payload: { vendorAction: { id: "a", state, completedAt, failureReason } },
  };
}

describe("the life of an action", () => {
  test.each([
    [[told("PENDING"), told("CONFIRMED")]],
    [[told("PENDING"), told("FAILED", "NO_RESPONSE")]],
    [[told("PENDING"), told("CANCELLED", "CONFLICT")]],
  ])("holds for %j", (entries) => {
    expect(new ActionLife().take(entries)).toEqual([]);
  });
  test.each([
    ["ends before it began", [told("CONFIRMED")]],
    ["ends twice", [told("PENDING"), told("CONFIRMED"), told("FAILED", "NO_RESPONSE")]],
    ["begins twice", [told("PENDING"), told("PENDING")]],
    ["fails for a reason of a cancellation", [told("PENDING"), told("FAILED", "CONFLICT")]],
    ["is cancelled without a reason", [told("PENDING"), told("CANCELLED")]],
  ])("is broken by one that %s", (_name, entries) => {
    expect(new ActionLife().take(entries)).toHaveLength(1);
  });
});

describe("peace while overridden", () => {
  const override = { targetId: "car", createdAt: "2026-06-21T10:00:00.000Z", endedAt: "2026-06-21T11:00:00.000Z" };
  const at = (time: string, origin: "schedule" | "client" | "smart-override") => ({
    id: "x",
    targetId: "car",
    origin,
    createdAtMs: Date.parse(`2026-06-21T${time}Z`),
  });
  test("holds before, after and for other origins", () => {
    const commands = [at("09:59:59", "schedule"), at("11:00:01", "schedule"), at("10:30:00", "client")];
    expect(overrideBreaches([...commands, at("10:30:00", "smart-override")], [override])).toEqual([]);
  });
  test("is broken by a schedule, also under an override that goes on", () => {
    expect(overrideBreaches([at("10:30:00", "schedule")], [override])).toHaveLength(1);
    expect(overrideBreaches([at("23:00:00", "schedule")], [{ ...override, endedAt: null }])).toHaveLength(1);
  });
});

test("two features on one target are reported", () => {
  const claims = [
    { targetId: "car", kind: "schedule" as const },
    { targetId: "box", kind: "schedule" as const },
  ];
  expect(controllerBreaches(claims)).toEqual([]);
  expect(controllerBreaches([...claims, { targetId: "car", kind: "smart-charging" }])).toHaveLength(1);
});

describe("an asset without credentials", () => {
  const user = { id: "home", linkedVendors: [{ vendor: "TESLA", isValid: false }] };
  const asset = {
    id: "v",
    userId: "home",
    vendor: "TESLA",
    isReachable: false,
    capabilities: { startCharging: { isCapable: false, interventionIds: ["i"] }, capableModes: null },
  };
  test("can do nothing and names a remedy", () => {
    expect(credentialBreaches([user], [asset])).toEqual([]);
  });
  test("is reported when it is reachable, capable, or without a remedy", () => {
    const capable = { startCharging: { isCapable: true, interventionIds: ["i"] } };
    const helpless = { startCharging: { isCapable: false, interventionIds: [] } };
    expect(credentialBreaches([user], [{ ...asset, isReachable: true }])).toHaveLength(1);
    expect(credentialBreaches([user], [{ ...asset, capabilities: capable }])).toHaveLength(1);
    expect(credentialBreaches([user], [{ ...asset, capabilities: helpless }])).toHaveLength(1);
  });
  test("is another's while its own vendor is valid", () => {
    expect(credentialBreaches([user], [{ ...asset, vendor: "BMW", isReachable: true }])).toEqual([]);
  });
});
