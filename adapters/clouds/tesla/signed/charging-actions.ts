/** Charging commands to a vehicle, and its replies (vehicle-command: car_server.proto). */
import { Fields, messageField, uintField } from "./protobuf.ts";

const VEHICLE_ACTION = 2;
const START_STOP = 6;
const SET_AMPS = 43;
const [START, STOP] = [2, 5];
const OK = 0;

export function chargingAction(isOn: boolean): Uint8Array {
  return messageField(VEHICLE_ACTION, messageField(START_STOP, messageField(isOn ? START : STOP)));
}

/** Whole A per phase. */
export function ampsAction(amperes: number): Uint8Array {
  return messageField(VEHICLE_ACTION, messageField(SET_AMPS, uintField(1, amperes)));
}

export interface ActionResult {
  readonly isTaken: boolean;
  /** The vehicle's own word where it was not. */
  readonly reason: string | null;
}

/** Throws a `CloudError("malformed")` when the bytes are no message. */
export function readResult(payload: Uint8Array): ActionResult {
  const status = new Fields(payload).message(1);
  const reason = status?.message(2)?.bytes(1) ?? null;
  return {
    isTaken: (status?.uint(1) ?? OK) === OK,
    reason: reason === null ? null : new TextDecoder().decode(reason),
  };
}
