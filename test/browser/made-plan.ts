/** A made-up plan and made-up charges, because a plan needs an hour of measurements. */
import { EnergyPlanView } from "../../src/domain/energy/plan/plan-view.ts";
import { ChargingSession } from "../../src/domain/statistics/statistics.ts";

const SLOT_MS = 900_000;
const SLOTS = 8;

/** The first target is reached, the second is not. */
export function planOfCar(id: string, nowMs: number): object {
  const at = (slot: number): string => new Date(nowMs + slot * SLOT_MS).toISOString();
  const kW = { load: 0.4, production: 2, import: 0, export: 1.6, overLimit: 0, cost: 0 };
  const slots = Array.from({ length: SLOTS }, (_none, slot) => ({
    ...{ from: at(slot), to: at(slot + 1), importPrice: 0.2 + slot / 100, exportPrice: 0.08, isPriceKnown: slot < 6 },
    ...kW,
  }));
  const earlier = [-2, -1].map((slot) => ({ from: at(slot), to: at(slot + 1), expectedLoad: 0.5, load: 0.7 }));
  const each = (value: number): number[] => slots.map(() => value);
  return EnergyPlanView.parse({
    ...{ isPlanned: true, whyNot: null, madeAt: at(0), actedOnUntil: at(4), method: "linear-program", currency: "EUR" },
    ...{ cost: 1.2, forecasts: null, slots, earlier, leftOut: [] },
    devices: [
      {
        ...{ id, deviceType: "vehicle", power: each(3.6), stored: each(1), value: each(0.2), temperature: [] },
        targets: [
          { at: at(4), energy: 12, short: 0 },
          { at: at(8), energy: 20, short: 3.5 },
        ],
        reasons: [{ code: "cheaper", when: [{ from: at(0), to: at(2) }], text: "Lädt in den billigsten Stunden." }],
      },
    ],
  });
}

/** Oldest first: one with a cost, one whose prices are not all known, and one that hardly took anything. */
export function sessionsOf(id: string): object {
  const none = { min: null, max: null, mean: null };
  const figures = { min: 1, max: 11, mean: 7 };
  const session = (day: number, kwhSum: number, kwhPriced: number, costSum: number): ChargingSession =>
    ChargingSession.parse({
      ...{ kw: figures, price: figures, nonSmartPrice: none, estimatedSavings: null, id, locationId: null },
      ...{ kwhSum, kwhPriced, costSum, isCostKnown: kwhPriced === kwhSum },
      ...{ from: `2026-06-0${day}T18:00:00.000Z`, to: `2026-06-0${day}T20:00:00.000Z` },
    });
  return [session(1, 10, 10, 2.5), session(2, 8.2, 4, 1), session(3, 0.01, 0.01, 0)];
}
