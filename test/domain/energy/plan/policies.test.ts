import { expect, test } from "vitest";
import {
  isFlatShadowPrice,
  type StoredEnergySituation,
  storedEnergyPolicy,
} from "../../../../src/domain/energy/plan/stored-energy-policy.ts";
import { plannedVehicleKw } from "../../../../src/domain/energy/plan/vehicle-policy.ts";

const situation: StoredEnergySituation = {
  ...{
    lambda: 0.2,
    isFlat: false,
    buysNow: false,
    importPrice: 0.3,
    exportPrice: 0.08,
    chargeEfficiency: 0.95,
    dischargeEfficiency: 0.95,
  },
  ...{
    wearPerKwh: 0.01,
    netLoadW: 1_000,
    soc: 50,
    reserve: 10,
    mayChargeFromGrid: true,
    mayDischargeToGrid: true,
    mode: null,
  },
};

test.each([
  ["covers a load that is dearer than its energy", {}, "SELF_RELIANCE"],
  ["keeps its energy for dearer hours", { lambda: 0.4, importPrice: 0.38 }, "IDLE"],
  ["takes surplus that is worth more later", { netLoadW: -1_000 }, "SELF_RELIANCE"],
  ["lets surplus go that pays more now", { netLoadW: -1_000, exportPrice: 0.2, lambda: 0.2 }, "IDLE"],
  ["buys below the value of its energy", { importPrice: 0.1 }, "IMPORT_FOCUS"],
  ["buys at the value of its energy when the plan does", { importPrice: 0.18, buysNow: true }, "IMPORT_FOCUS"],
  ["waits at the value of its energy when the plan does", { importPrice: 0.18, buysNow: false }, "IDLE"],
  ["does not buy where it must not", { importPrice: 0.1, mayChargeFromGrid: false, netLoadW: 1_000 }, "IDLE"],
  ["sells above the value of its energy", { exportPrice: 0.25 }, "EXPORT_FOCUS"],
  ["does not sell its reserve", { exportPrice: 0.25, soc: 10 }, "SELF_RELIANCE"],
  ["does not sell the floor of its owner", { exportPrice: 0.25, soc: 30, minSoc: 30, netLoadW: null }, "SELF_RELIANCE"],
  ["waits at the floor of its owner", { soc: 30, minSoc: 30 }, "IDLE"],
  ["waits at the floor of its owner without a plan for it", { soc: 30, minSoc: 30, lambda: null }, "IDLE"],
  ["takes surplus at the floor of its owner", { soc: 30, minSoc: 30, netLoadW: -1_000 }, "SELF_RELIANCE"],
  ["does not buy above what its owner wants", { importPrice: 0.1, soc: 80, maxSoc: 80 }, "IDLE"],
  ["lets surplus go above what its owner wants", { netLoadW: -1_000, soc: 80, maxSoc: 80 }, "IDLE"],
  ["serves a load above what its owner wants", { soc: 90, maxSoc: 80 }, "SELF_RELIANCE"],
  ["does not buy when it is full", { importPrice: 0.1, soc: 100 }, "IDLE"],
  ["does not serve a small load that pays its loss badly", { netLoadW: 120, importPrice: 0.25 }, "IDLE"],
  ["serves a small load that is dear", { netLoadW: 120, importPrice: 0.5 }, "SELF_RELIANCE"],
  ["follows the rule without a plan", { lambda: null, importPrice: 0.01 }, "SELF_RELIANCE"],
  ["follows the rule in a close call of a flat value", { isFlat: true, importPrice: 0.19 }, "SELF_RELIANCE"],
  ["takes surplus whatever a flat value says", { isFlat: true, lambda: 0, netLoadW: -1_000 }, "SELF_RELIANCE"],
  ["buys far below a flat value", { isFlat: true, importPrice: 0.1 }, "IMPORT_FOCUS"],
  ["keeps its energy far below a flat value", { isFlat: true, lambda: 0.5, mayChargeFromGrid: false }, "IDLE"],
  ["follows the rule without a price", { importPrice: null }, "SELF_RELIANCE"],
] as const)("The battery %s", (_what, more, mode) => {
  expect(storedEnergyPolicy({ ...situation, ...more })).toBe(mode);
});

test("A battery that runs goes on at 170 W, and one that waits does not start", () => {
  const close = { ...situation, netLoadW: 170, importPrice: 0.25 };
  expect(storedEnergyPolicy({ ...close, mode: "SELF_RELIANCE" })).toBe("SELF_RELIANCE");
  expect(storedEnergyPolicy({ ...close, mode: "IDLE" })).toBe("IDLE");
});

test("A value that never changes is flat", () => {
  expect(isFlatShadowPrice([0.2, 0.2001, 0.2])).toBe(true);
  expect(isFlatShadowPrice([0.2, 0.25])).toBe(false);
});

test("A vehicle gets the planned power where the plan buys, and the real surplus where it counts on surplus", () => {
  const car = { lambda: 0.3, exportPrice: 0.08, chargeEfficiency: 0.92, maxKw: 11 };
  expect(plannedVehicleKw({ ...car, plannedKw: 11, plannedSurplusKw: 2, surplusKw: 0 })).toBe(11);
  expect(plannedVehicleKw({ ...car, plannedKw: 5, plannedSurplusKw: 5, surplusKw: 2 })).toBe(2);
  expect(plannedVehicleKw({ ...car, plannedKw: 0, plannedSurplusKw: 0, surplusKw: 2, exportPrice: 0.4 })).toBe(0);
});
