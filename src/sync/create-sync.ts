import type { Engine } from "../engine/contracts/engine.ts";
import type { Mailer } from "../platform/ports/mail-port.ts";
import type { Clock, Http, Log, Random } from "../platform/ports/ports.ts";
import type { Store } from "../store/store.ts";
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
    readonly sandbox: { readonly isEnabled: boolean };
    readonly compat: { readonly namePrefix: string };
  };
  readonly mapped: PayloadMapper;
  readonly newestVersion: string;
}

/** Webhooks, live streams and notifications, which send what happens to others. Disposing it ends all at once. */
export interface Sync extends AsyncDisposable {
  readonly webhooks: WebhookService;
  readonly live: LiveService;
  readonly notifications: NotificationService;
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
  return {
    webhooks,
    live,
    notifications,
    async [Symbol.asyncDispose]() {
      await Promise.all([webhooks, live, notifications].map((part) => part[Symbol.asyncDispose]()));
    },
  };
}
