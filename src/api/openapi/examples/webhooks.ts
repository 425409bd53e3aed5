/** Examples of webhooks. */
import type {
  FirehoseTarget,
  Webhook,
  WebhookCreate,
  WebhookTest,
  WebhookUpdate,
} from "../../../domain/webhooks/webhook.ts";

const HOOK_URL = "https://hooks.example/house";
const CREATED = "2026-06-21T10:15:30.000Z";

const WEBHOOK: Webhook = {
  id: "7c1f0a52-9f9e-4b0c-8b1c-0f2a6f1f9d34",
  url: HOOK_URL,
  events: ["*"],
  lastSuccess: "2026-06-21T11:02:07.000Z",
  isActive: true,
  createdAt: CREATED,
  apiVersion: null,
  authentication: { headerName: "x-api-key" },
};

const CREATE: WebhookCreate = {
  url: HOOK_URL,
  secret: "9b2e7d64c0a84f1db7b3",
  events: ["user:charger:updated", "user:vendor-action:updated"],
  apiVersion: null,
  authentication: { headerName: "x-api-key", headerValue: "made-up" },
};

const UPDATE: WebhookUpdate = { events: ["*"], authentication: null };

const TEST: WebhookTest = {
  status: "SUCCESS",
  description: "The webhook answered 204.",
  response: { code: 204, body: "", headers: ["server: example"] },
};

const OVERVIEW = {
  webhook: WEBHOOK,
  owner: { id: "1d237279-ab94-48f7-9d1f-a4ee21f0c702", name: "app", isOwn: false },
  failures: 1,
  retryAt: "2026-06-21T11:02:17.000Z",
  deliveries: [
    {
      at: "2026-06-21T11:02:07.000Z",
      isSuccess: false,
      status: 503,
      code: "rejected",
      description: "The webhook answered 503.",
    },
  ],
};

const FIREHOSE: FirehoseTarget = { url: HOOK_URL, secret: "9b2e7d64c0a84f1db7b3" };

export const WEBHOOK_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  FirehoseAddress: [{ url: HOOK_URL }],
  FirehoseTarget: [FIREHOSE],
  Webhook: [WEBHOOK],
  WebhookOverview: [OVERVIEW],
  WebhookCreate: [CREATE],
  WebhookTest: [TEST],
  WebhookUpdate: [UPDATE],
};
