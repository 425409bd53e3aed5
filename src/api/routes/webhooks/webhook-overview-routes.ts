/** The webhooks of all clients with their latest deliveries, for who looks after the gateway. */
import { z } from "zod";
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { WebhookOverview } from "../../../domain/webhooks/webhook.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { requireInstaller } from "../people/asker.ts";

export function webhookOverviewRoutes(api: Api, { webhooks, store, engine, callerOf, clientOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/webhooks",
    schema: {
      operationId: "listAllWebhooks",
      summary: "List the webhooks of all clients with their latest deliveries, newest first",
      description:
        "For owners and installers, and for clients with the scope `people:manage`. Only who created a webhook can change it, under `/webhooks`.",
      tags: ["webhooks"],
      response: { 200: jsonResponse("The webhooks.", z.array(WebhookOverview)), ...problemResponses() },
    },
    handler: (request): z.input<typeof WebhookOverview>[] => {
      requireInstaller(callerOf(request));
      const people = engine.services.people.list({ accountId: null, isManager: true });
      const nameOf = (id: string): string | null =>
        store.get("client", id)?.name ?? people.find((person) => person.id === id)?.name ?? null;
      return webhooks.overview().map(({ webhook, clientId, failures, retryAtMs, deliveries }) => ({
        webhook,
        owner: { id: clientId, name: nameOf(clientId), isOwn: clientId === clientOf(request) },
        failures,
        retryAt: instantOrNull(retryAtMs),
        deliveries: deliveries.map(({ atMs, ...delivery }) => ({ at: instant(atMs), ...delivery })),
      }));
    },
  });
}
