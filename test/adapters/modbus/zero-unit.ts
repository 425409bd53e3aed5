import { type DeviceProfile, registerWords } from "hemgate/sdk";
import { FakeUnit } from "./fake-unit.ts";

/** A unit that holds 0 in every register that a profile reads, for a test to set what it is about. */
export function zeroUnit({ points, identity = {} }: DeviceProfile): FakeUnit {
  const unit = new FakeUnit();
  for (const field of [...points, ...Object.values(identity)]) {
    unit.set(field.table, field.address, ...Array.from({ length: registerWords(field) }, () => 0));
  }
  return unit;
}
