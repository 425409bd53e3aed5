/** All that an adapter may see. */

export { type BackoffRange, backoffMs } from "../platform/backoff.ts";
export type {
  Clock,
  Log,
  Net,
  Random,
  StreamEvents,
  TcpAddress,
  TcpListener,
  TcpStream,
} from "../platform/ports.ts";
export { TimeoutError, within } from "../platform/within.ts";
export { DeviceError, type DeviceErrorKind } from "./device-error.ts";
export {
  type Adapter,
  type AdapterContext,
  type Control,
  type DeviceIdentity,
  type Driver,
  defineAdapter,
  type RunningAdapter,
} from "./driver.ts";
export {
  type Condition,
  evaluate,
  evaluateNumber,
  type Formula,
  type FormulaScope,
  type FormulaValue,
  formulaKeys,
  isTrue,
} from "./formula.ts";
export type {
  FoundDevice,
  LinkAnswer,
  LinkableType,
  LinkableVendor,
  LinkField,
  LinkFieldKind,
  LinkMethod,
  LinkRefusal,
  LinkStep,
  LinkTurn,
  RunningLinking,
} from "./linking.ts";
export {
  type BatteryStatus,
  type ControlPoint,
  type HoldType,
  type HvacMode,
  type OperationMode,
  POINT_UNITS,
  type PointName,
  type PointTypes,
  type PointValue,
  type PowerDeliveryState,
  type Reading,
  type VehiclePowerDeliveryState,
} from "./points.ts";
export {
  type Confidence,
  type DerivedPoint,
  type DeviceProfile,
  defineProfile,
  type PollClass,
  type ProfileControl,
  type ProfileFormula,
  type ProfileHold,
  type ProfileLimits,
  type ProfilePoint,
  type ProfileSetting,
  type ProfileTransport,
  type Provenance,
  type RegisterField,
  type RegisterPoint,
  type RegisterTable,
  type RegisterType,
  type RegisterValue,
  type RegisterValues,
  registerWords,
  type UnitLimits,
  type WriteCase,
  type WriteField,
  type WriteRecipe,
  type WriteStep,
} from "./profile.ts";
export {
  faultAt,
  type RunningSimulation,
  type SimulatedCondition,
  type SimulatedDevice,
  type SimulatedStates,
} from "./simulation.ts";
