import { describe, expect, test } from "vitest";
import { ASSET_KINDS } from "../../../src/domain/assets/asset.ts";
import { actionUpdated, assetEvent, assetUpdated, credentialsInvalidated } from "../../../src/engine/events.ts";
import { hemEvent } from "../../../src/engine/hem/hem-events.ts";
import { routesOf } from "../../../src/sync/cloud/routes.ts";
import { makeAction } from "../../store/makers.ts";

const EVENT = { stream: "event", entity: null };

describe("where the store's entries go", () => {
  test.each(ASSET_KINDS)("a change of a %s is its newest state; its coming and going are events, too", (kind) => {
    // The rules look at the id alone.
    const asset = { id: "a1", userId: "home" } as Parameters<typeof assetUpdated>[1];
    const state = { stream: "state", entity: `${kind}/a1` };
    expect(routesOf(assetUpdated(kind, asset, ["isReachable"]))).toEqual([state]);
    expect(routesOf(assetEvent("discovered", kind, asset))).toEqual([EVENT, state]);
    expect(routesOf(assetEvent("deleted", kind, asset))).toEqual([EVENT, state]);
  });

  test("an energy system is a state as well", () => {
    const system = { id: "h1", userId: "home" } as Parameters<typeof hemEvent>[1];
    const state = { stream: "state", entity: "hem-system/h1" };
    expect(routesOf(hemEvent("deleted", system))).toEqual([EVENT, state]);
    expect(routesOf({ event: "user:hem-system:updated", payload: { hemSystem: system } })).toEqual([state]);
  });

  test("actions, lost logins, findings of the store and what nobody thought of yet are events", () => {
    expect(routesOf(actionUpdated(null, makeAction("x", null).action))).toEqual([EVENT]);
    expect(routesOf(credentialsInvalidated("home", "VENDOR"))).toEqual([EVENT]);
    expect(routesOf({ event: "system:store:recovered", payload: { details: [] } })).toEqual([EVENT]);
    expect(routesOf({ event: "user:new-kind:updated", payload: null })).toEqual([EVENT]);
  });

  test("an asset's event without an id is kept as an event, and statistics are told by the history", () => {
    expect(routesOf({ event: "user:meter:updated", payload: null })).toEqual([EVENT]);
    expect(routesOf({ event: "user:inverter:statistics-updated", payload: {} })).toEqual([]);
  });
});
