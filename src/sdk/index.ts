/** Everything that an adapter may import. */

import "../domain/issue-text.ts";

/** The schema library for options. An adapter has to use this copy, because schemas of another copy are not recognized. */
export { z } from "zod";
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../domain/duration.ts";
export type {
  ConfirmLinkField,
  FoundDevice,
  LinkableType,
  LinkDetail,
  LinkField,
  LinkFieldKind,
  LinkMethod,
  LinkRefusal,
  LinkWords,
  NumberLinkField,
  TextLinkField,
} from "../domain/linking/link-form.ts";
export { type BackoffRange, backoffMs } from "../platform/backoff.ts";
export { errorText } from "../platform/error-text.ts";
export { BusyError, KeyedMutex } from "../platform/keyed-mutex.ts";
export { LoadError, lazy } from "../platform/lazy.ts";
export { FrameReader, get16, MBAP_BYTES, put16 } from "../platform/modbus/frame-reader.ts";
export { isTopicFilter, isTopicName, topicMatches } from "../platform/mqtt/topic-filter.ts";
export { type Reach, refuseAddress } from "../platform/network/address-policy.ts";
export { retryAfterMs } from "../platform/network/retry-after.ts";
export { HandshakeRefused } from "../platform/ports/handshake-refused.ts";
export { HttpError, type HttpErrorKind } from "../platform/ports/http-error.ts";
export type {
  BrokerMessage,
  ByteStream,
  Clock,
  Http,
  HttpAnswer,
  HttpClient,
  HttpPolicy,
  HttpRequest,
  Log,
  MqttLink,
  MqttLinks,
  MqttServer,
  Net,
  PinnedCertificate,
  Random,
  Serial,
  SerialSettings,
  StreamEvents,
  TcpAddress,
  TcpListener,
  TcpStream,
  Udp,
  UdpEvents,
  UdpSettings,
  UdpSocket,
  WebSocketConnection,
  WebSocketEvents,
  WebSocketRequest,
  WebSockets,
} from "../platform/ports/ports.ts";
export { TimeoutError, within } from "../platform/within.ts";
export {
  DeviceError,
  type DeviceErrorKind,
  OtherDeviceError,
  type ReachFault,
  type ReadFault,
} from "../points/device-error.ts";
export {
  type BatteryStatus,
  CONTROL_POINTS,
  type Confidence,
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
} from "../points/points.ts";
export { BoundedJsonError, boundedJson, utf8Text } from "./bounded-json.ts";
export { type ConfirmedControls, confirmedControls, confirmedProblem, isConfirmed } from "./confirmed-controls.ts";
export type {
  Description,
  FirstRead,
  MissingDevice,
  Proof,
  RunningDiscovery,
  SearchScope,
  SeenService,
  Sighting,
  SightingSource,
} from "./discovery.ts";
export {
  type Adapter,
  type AdapterContext,
  type Control,
  type DeviceIdentity,
  type Driver,
  defineAdapter,
  type RunningAdapter,
} from "./driver.ts";
export { confirmedNoFailsafe, isForced, withholdWithoutFailsafe } from "./failsafe.ts";
export type {
  ForecastPlane,
  ForecastRefusal,
  ForecastRequest,
  ForecastSlot,
  ForecastSource,
  PlaneForecastSource,
  SiteForecastSource,
} from "./forecast-source.ts";
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
export { deviceRefusal, hostRefusal, typedNumber } from "./link-refusal.ts";
export type {
  LinkAnswer,
  LinkableVendor,
  LinkOutcome,
  LinkSetup,
  LinkStep,
  RunningLinking,
  SetupOutcome,
} from "./linking.ts";
export {
  type Market,
  type MarketAnswer,
  type MarketDay,
  MarketError,
  type MarketErrorKind,
  type MarketMistake,
  type MarketOptions,
  type MarketPrice,
  type MarketRequest,
  type MarketSource,
} from "./market-source.ts";
export type { AccountNotes, DeviceNotes } from "./notes.ts";
export type { OptionProblem } from "./option-problem.ts";
export {
  DEVICE_PARTS,
  type DevicePart,
  eitherOf,
  type KnownParts,
  NotedParts,
  onceKnown,
  onceNotZero,
  type PartRule,
  type PartRules,
  PresentParts,
  partKeys,
  partsOf,
  withParts,
} from "./parts.ts";
export {
  type DerivedPoint,
  type DeviceProfile,
  defineProfile,
  type Fingerprint,
  type FingerprintCheck,
  type PlateField,
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
  choiceFields,
  choicesProblem,
  chosenOptions,
  unknownSetting,
  type WithheldControls,
  withheldControls,
} from "./profile-choices.ts";
export { type DeviceRegisters, RegisterException, type RegisterRange, type RegisterWrite } from "./registers.ts";
export { restOfMissing } from "./retry-delay.ts";
export { type OnUseParts, runOnUse } from "./run-on-use.ts";
export { serialNumber } from "./serial-number.ts";
export { type Share, Shares } from "./shares.ts";
export {
  faultAt,
  type RunningSimulation,
  type SimulatedCondition,
  type SimulatedDevice,
  type SimulatedStates,
  type SimulatedSupply,
} from "./simulation.ts";

export type { VendorAccount, VendorQuota, VendorStream } from "./vendor-account.ts";
export { WrittenValues } from "./written-values.ts";
