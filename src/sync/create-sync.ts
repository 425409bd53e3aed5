import type { Engine } from "../engine/contracts/engine.ts";
import type { Mailer } from "../platform/ports/mail-port.ts";
import type { Clock, Http, Log, Random } from "../platform/ports/ports.ts";
import type { Store } from "../store/store.ts";
import { InfluxPush, type InfluxSettings } from "./influx/influx-push.ts";
import { LiveService } from "./live/live-service.ts";
import { type NotificationOptions, NotificationService } from "./notifications/notification-service.ts";
import type { PayloadMapper } from "./webhooks/event-text.ts";
import { WebhookService } from "./webhooks/webhook-service.ts";

export interface SyncOptions {
  readonly engine: Pick<Engine, "assets" | "actions" | "devices" | "services">;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Log;
  /** `undefined`: no e-mail can be sent. */
  readonly mailer: Mailer | undefined;
  /** `null`: no backups are made by a schedule. */
  readonly backups: NotificationOptions["backups"];
  /** `null`: nothing updates the gateway. */
  readonly updates: NotificationOptions["updates"];
  readonly config: NotificationOptions["config"] & {
    readonly webhooks: { readonly allowInsecureLan: boolean; readonly maxWebhooks: number };
    readonly influx?: InfluxSettings | undefined;
    readonly sandbox: { readonly isEnabled: boolean };
    readonly compat: { readonly namePrefix: string };
  };
  readonly mapped: PayloadMapper;
  readonly newestVersion: string;
}

/** Webhooks, live streams, notifications and an InfluxDB, which send what happens to others. Disposing it ends all at once. */
export interface Sync extends AsyncDisposable {
  readonly webhooks: WebhookService;
  readonly live: LiveService;
  readonly notifications: NotificationService;
  /** `null`: the configuration names no InfluxDB. */
  readonly influx: InfluxPush | null;
}

export function createSync({ engine, config, ...options }: SyncOptions): Sync {
  const isDeauthorized = (userId: string): boolean => engine.services.users.get(userId)?.isDeauthorized ?? false;
  const rules = { ...config.webhooks, allowLoopback: config.sandbox.isEnabled, namePrefix: config.compat.namePrefix };
  const webhooks = new WebhookService({ ...options, rules, isDeauthorized });
  const { assets, actions } = engine;
  const systems = (userId: string | null) =>
    engine.services.hemSystems.list(userId ?? undefined).map(({ system }) => system);
  const live = new LiveService({
    ...options,
    assets,
    actions,
    isDeauthorized,
    systems,
    powers: engine.services.housePowers,
  });
  const notifications = new NotificationService({ ...options, engine, config });
  const influx = config.influx === undefined ? null : new InfluxPush(config.influx, { ...options, engine });
  return {
    webhooks,
    live,
    notifications,
    influx,
    async [Symbol.asyncDispose]() {
      await Promise.all([webhooks, live, notifications, influx].map((part) => part?.[Symbol.asyncDispose]()));
    },
  };
}
