import type { HomeTruth } from "../../adapters/simulated/home-truth.ts";
import type { ShownValue } from "../long-run/invariants/shown-truth.ts";
import { field } from "../long-run/json-fields.ts";

/** Half a watt of rounding in a register, and the ranges of its scale factors, kW. */
const POWER_TOLERANCE_KW = 0.002;
const SOC_TOLERANCE = 0.02;

type Reality = ShownValue["recently"];

/** What a battery's record says, beside what was so. */
export function batteryValues(record: unknown, recently: readonly HomeTruth[]): readonly ShownValue[] {
  return [
    power(
      "battery.chargeRate",
      field(record, "chargeState", "chargeRate"),
      recently.map((truth) => truth.batteryW),
    ),
    {
      what: "battery.batteryLevel",
      shown: shownOf(field(record, "chargeState", "batteryLevel")),
      recently: recently.map((truth) => truth.batterySoc),
      tolerance: SOC_TOLERANCE,
    },
  ];
}

/** At night a hybrid inverter says that its strings have no value; null is the truth then. */
export function inverterValues(record: unknown, recently: readonly HomeTruth[]): readonly ShownValue[] {
  const shown = field(record, "productionState", "productionRate");
  const reality = recently.flatMap((truth): Reality => (truth.availableW > 0 ? [truth.pvW / 1_000] : [null, 0]));
  return [{ what: "inverter.productionRate", shown: shownOf(shown), recently: reality, tolerance: POWER_TOLERANCE_KW }];
}

export function meterValues(record: unknown, recently: readonly HomeTruth[]): readonly ShownValue[] {
  return [
    power(
      "meter.power",
      field(record, "energyState", "power"),
      recently.map((truth) => truth.gridW),
    ),
  ];
}

/** A charge rate is shown only while the charger charges. */
export function chargerValues(record: unknown, recently: readonly HomeTruth[]): readonly ShownValue[] {
  const plugged: ShownValue = {
    what: "charger.isPluggedIn",
    shown: shownOf(field(record, "chargeState", "isPluggedIn")),
    recently: recently.map((truth) => truth.isCarPluggedIn),
    tolerance: 0,
  };
  const reality = recently.flatMap((truth): Reality => (truth.carW > 0 ? [truth.carW / 1_000] : [null, 0]));
  const rate = shownOf(field(record, "chargeState", "chargeRate"));
  return [plugged, { what: "charger.chargeRate", shown: rate, recently: reality, tolerance: POWER_TOLERANCE_KW }];
}

function power(what: string, shown: unknown, watts: readonly number[]): ShownValue {
  return {
    what,
    shown: shownOf(shown),
    recently: watts.map((each) => each / 1_000),
    tolerance: POWER_TOLERANCE_KW,
  };
}

function shownOf(value: unknown): ShownValue["shown"] {
  const isPlain = typeof value === "number" || typeof value === "string" || typeof value === "boolean";
  return isPlain ? value : null;
}
