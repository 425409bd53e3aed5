import type { Action, ActionOrigin } from "../domain/actions/action.ts";
import type { LeaseState } from "../domain/actions/lease.ts";
import type { AssetKind } from "../domain/assets/asset.ts";
import type { KnownDevice } from "../domain/assets/asset-seed.ts";
import type { AuditRecord } from "../domain/people/audit.ts";
import type { SimulatedDevice } from "../domain/sandbox/simulated.ts";
import type { ControlPoint, PointValue } from "../points/points.ts";
import type { AccountNoteRecord } from "./records/account-notes.ts";
import type { BackupStateRecord } from "./records/backup.ts";
import type { CorrectionRecord, FindingRecord } from "./records/checks.ts";
import type { CloudDeregistrationRecord, CloudEnrolmentRecord, CloudIdentityRecord } from "./records/cloud/cloud.ts";
import type { CloudCommandRecord } from "./records/cloud/cloud-command.ts";
import type { CloudConfigurationRecord } from "./records/cloud/cloud-configuration.ts";
import type { CloudTelemetryRecord } from "./records/cloud/cloud-telemetry.ts";
import type { GatewayRecord, MovedDeviceRecord } from "./records/discovery.ts";
import type {
  EnergyDeviceRecord,
  EnergySiteRecord,
  FlexEventRecord,
  FullChargeRecord,
  LimitationRecord,
  LimitSourceRecord,
  SiteRecord,
  SurplusRuleRecord,
} from "./records/energy.ts";
import type {
  CurtailedHoursRecord,
  ForecastQuotaRecord,
  ForecastRecord,
  LoadForecastRecord,
} from "./records/forecast.ts";
import type { ForgottenRecord, HemRecord } from "./records/hem.ts";
import type { HouseConfigurationRecord } from "./records/house-configuration.ts";
import type { HttpsRecord } from "./records/https.ts";
import type { IdempotencyRecord } from "./records/idempotency.ts";
import type { LinkOrigin, LinkRecord } from "./records/link.ts";
import type { LossRecord } from "./records/loss.ts";
import type { MarketDayRecord } from "./records/market.ts";
import type { NoteRecord } from "./records/notes.ts";
import type { NotificationChannelRecord, NotificationSettingsRecord } from "./records/notifications.ts";
import type { PairingRecord } from "./records/pairing.ts";
import type { AccountRecord, ClientUseRecord, SessionRecord } from "./records/people.ts";
import type { LocationRecord, PlacementRecord, TariffLinkRecord, TariffRecord } from "./records/places.ts";
import type { ScheduleRecord, ScheduleStateRecord } from "./records/schedules.ts";
import type { SetupImportRecord, SetupRecord } from "./records/setup.ts";
import type {
  ChargerSmartRecord,
  ChargeShiftRecord,
  HvacSmartRecord,
  OverrideRecord,
  VehiclePlanRecord,
  VehicleSmartRecord,
} from "./records/smart.ts";
import type { AvailableUpdateRecord, UpdateTaskRecord } from "./records/updates.ts";
import type { AuthorizationRecord, UnlinkedRecord, UserRecord } from "./records/users.ts";

export type { MovedDeviceRecord } from "./records/discovery.ts";
export type { IdempotencyRecord } from "./records/idempotency.ts";
export type { LinkRecord } from "./records/link.ts";
export type { LocationRecord, PlacementRecord, TariffLinkRecord, TariffRecord } from "./records/places.ts";

import type { WebhookProgressRecord, WebhookRecord } from "./records/webhooks.ts";

export type { AttemptsRecord, ScheduleRecord, ScheduleStateRecord } from "./records/schedules.ts";
export type {
  ChargerSmartRecord,
  ChargeShiftRecord,
  HvacSmartRecord,
  OverrideRecord,
  VehiclePlanRecord,
  VehicleSmartRecord,
} from "./records/smart.ts";
export type { AuthorizationRecord, UnlinkedRecord, UserRecord } from "./records/users.ts";

/** An integrator account (rule I5). The secret itself is never stored. */
export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** scrypt of the secret, base64url. */
  readonly secretHash: string;
  /** base64url. */
  readonly salt: string;
  /** API version of requests without a version (rule I9). */
  readonly apiVersion: string;
  /** What it may do beside what every client may, such as `energy:limits`. Absent: nothing. */
  readonly scopes?: readonly string[];
}

/** An access token, stored as its SHA-256. Its validity is measured by the monotonic clock within one epoch. */
export interface TokenRecord {
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly clientId: string;
  /** Wall-clock ms. */
  readonly expiresAtMs: number;
}

/** The permanent id of an asset: it stays the same over restarts and changes of the address. */
export interface AssetRecord {
  readonly id: string;
  readonly kind: AssetKind;
  readonly deviceId: string;
  readonly createdAtMs: number;
  /** What the device reported when it was last connected, so that its assets are shown while it is offline. */
  readonly device?: KnownDevice;
  /** Owner of the device when the record was last written. */
  readonly userId?: string;
  /** Wall-clock ms of the last answer before the latest change or stop. */
  readonly lastSeenMs?: number;
}

/** An action with what is needed to continue it after a restart. */
export interface ActionRecord {
  readonly action: Action;
  readonly deviceId: string;
  readonly createdAtMs: number;
  /** True if the clock was unreliable: the age counts from when the clock is set. */
  readonly isDateUnsure?: true;
  /** The start of its age, instead of its dates, wall-clock ms. */
  readonly agesFromMs?: number;
  /** True from before the first command is sent: the device may have received it. Absent: false. */
  readonly wasSent?: boolean;
  /**
   * The disk may have lost a newer version of this record: if the action is pending, it is ended and not sent again.
   */
  readonly isDoubtful?: true;
  /** Who requested it. Absent: a client. */
  readonly origin?: ActionOrigin;
  /** Key of the request that created it, to recognise a repeated request. */
  readonly requestKey?: string;
}

/** A device that was added at run time: linked by a user, or simulated. */
export interface DeviceRecord {
  readonly id: string;
  readonly adapter: string;
  /** As in the adapter's schema. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly source: "linked" | "simulated";
  readonly userId: string;
  readonly name: string | null;
  /** `null` for all scopes of its kinds. */
  readonly scopes: readonly string[] | null;
  readonly createdAtMs: number;
  /** True if its credentials were deleted; it is not connected until it is linked again. Absent: false. */
  readonly isUnlinked?: boolean;
  /** Absent: it was not linked by a sign-in. */
  readonly link?: LinkOrigin;
}

/** A value that the gateway holds on a device, and how to take it back. Stored before the first write to the device. */
export interface LeaseRecord {
  readonly deviceId: string;
  readonly point: ControlPoint;
  readonly value: PointValue;
  /** The value that an orderly stop writes; `null`: the value stays. */
  readonly revertTo: PointValue | null;
  /** Absent: `held`. */
  readonly state?: LeaseState;
  /** Origin of the action that wrote it. Absent: a client. */
  readonly origin?: ActionOrigin;
}

/** A retained message of a client of the embedded MQTT broker. */
export interface RetainedRecord {
  readonly topic: string;
  /** base64. */
  readonly payload: string;
  readonly qos: 0 | 1 | 2;
  /** The user that published it. */
  readonly username?: string | undefined;
}

/** A journal entry: a change that is reported to others, at its place `(epoch, seq)`. */
export interface JournalEntry {
  readonly epoch: number;
  readonly seq: number;
  readonly atMs: number;
  /** An event name of rule S1.7, such as `user:vendor-action:updated`. */
  readonly event: string;
  readonly payload: unknown;
}

/** The tables of the critical database: name and record. */
export interface Tables {
  readonly client: ClientRecord;
  readonly token: TokenRecord;
  readonly asset: AssetRecord;
  readonly action: ActionRecord;
  readonly lease: LeaseRecord;
  readonly device: DeviceRecord;
  readonly link: LinkRecord;
  readonly location: LocationRecord;
  readonly idempotency: IdempotencyRecord;
  readonly placement: PlacementRecord;
  readonly tariff: TariffRecord;
  readonly "tariff-link": TariffLinkRecord;
  readonly user: UserRecord;
  readonly authorization: AuthorizationRecord;
  readonly unlinked: UnlinkedRecord;
  readonly simulated: SimulatedDevice;
  readonly override: OverrideRecord;
  readonly schedule: ScheduleRecord;
  readonly "schedule-state": ScheduleStateRecord;
  readonly "vehicle-smart": VehicleSmartRecord;
  readonly "charger-smart": ChargerSmartRecord;
  readonly "hvac-smart": HvacSmartRecord;
  readonly "vehicle-plan": VehiclePlanRecord;
  readonly "charge-shift": ChargeShiftRecord;
  readonly "energy-device": EnergyDeviceRecord;
  readonly "energy-site": EnergySiteRecord;
  readonly "surplus-rule": SurplusRuleRecord;
  readonly "full-charge": FullChargeRecord;
  readonly "curtailed-hours": CurtailedHoursRecord;
  readonly "flex-event": FlexEventRecord;
  readonly webhook: WebhookRecord;
  readonly "webhook-progress": WebhookProgressRecord;
  readonly hem: HemRecord;
  readonly forgotten: ForgottenRecord;
  readonly pairing: PairingRecord;
  readonly "mqtt-retained": RetainedRecord;
  readonly correction: CorrectionRecord;
  readonly finding: FindingRecord;
  readonly note: NoteRecord;
  readonly "account-note": AccountNoteRecord;
  readonly gateway: GatewayRecord;
  readonly "moved-device": MovedDeviceRecord;
  readonly forecast: ForecastRecord;
  readonly "forecast-quota": ForecastQuotaRecord;
  readonly "load-forecast": LoadForecastRecord;
  readonly "market-day": MarketDayRecord;
  readonly "cloud-command": CloudCommandRecord;
  readonly "cloud-configuration": CloudConfigurationRecord;
  readonly "house-configuration": HouseConfigurationRecord;
  readonly "cloud-telemetry": CloudTelemetryRecord;
  readonly "cloud-identity": CloudIdentityRecord;
  readonly "cloud-enrolment": CloudEnrolmentRecord;
  readonly "cloud-farewell": CloudDeregistrationRecord;
  readonly loss: LossRecord;
  readonly site: SiteRecord;
  readonly "limit-source": LimitSourceRecord;
  readonly limitation: LimitationRecord;
  readonly account: AccountRecord;
  readonly session: SessionRecord;
  readonly audit: AuditRecord;
  readonly "client-use": ClientUseRecord;
  readonly setup: SetupRecord;
  readonly "setup-import": SetupImportRecord;
  readonly backup: BackupStateRecord;
  readonly "notification-channel": NotificationChannelRecord;
  readonly "notification-settings": NotificationSettingsRecord;
  readonly "available-update": AvailableUpdateRecord;
  readonly "update-task": UpdateTaskRecord;
  readonly https: HttpsRecord;
}
export type TableName = keyof Tables;

/** One change of the critical database. */
export type Write =
  | {
      readonly [Name in TableName]: { readonly table: Name; readonly key: string; readonly put: Tables[Name] };
    }[TableName]
  | { readonly table: TableName; readonly key: string; readonly remove: true };
