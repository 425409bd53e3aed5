/** All that an adapter may see. */

import "../domain/issue-text.ts";

/** The schema library that options are made of; a copy of one's own would be another language. */
export { z } from "zod";
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../domain/duration.ts";
export { type BackoffRange, backoffMs } from "../platform/backoff.ts";
export { errorText } from "../platform/error-text.ts";
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
export type { AccountNotes } from "./account-notes.ts";
export { BoundedJsonError, boundedJson, utf8Text } from "./bounded-json.ts";
export { type ConfirmedControls, confirmedControls, confirmedProblem, isConfirmed } from "./confirmed-controls.ts";
export type {
  Description,
  MissingDevice,
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
  ConfirmLinkField,
  FoundDevice,
  LinkAnswer,
  LinkableType,
  LinkableVendor,
  LinkDetail,
  LinkField,
  LinkFieldKind,
  LinkMethod,
  LinkRefusal,
  LinkSetup,
  LinkStep,
  LinkTurn,
  LinkWords,
  NumberLinkField,
  RunningLinking,
  SetupTurn,
  TextLinkField,
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
export type { DeviceNotes } from "./notes.ts";
export { confirmedNoFailsafe } from "./outliving.ts";
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
  type Confidence,
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
export { choiceFields, chosenOptions, type HeldBack, heldBack } from "./profile-choices.ts";
export { choicesProblem } from "./profile-settings.ts";
export { restOfMissing } from "./resting.ts";
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
export { isForced, withholdWithoutFailsafe } from "./unguarded.ts";
export type { VendorAccount, VendorQuota, VendorStream } from "./vendor-account.ts";
export { WrittenValues } from "./written-values.ts";
