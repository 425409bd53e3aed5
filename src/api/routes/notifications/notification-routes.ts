/** The channels of notifications for people, with their latest deliveries and a test message. */
import { z } from "zod";
import { NotificationChannel, NotificationDelivery } from "../../../domain/notifications/delivery.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { requireInstaller } from "../people/asker.ts";

const TAGS = ["notifications"];
const WHO = "For owners and installers, and for clients with the scope `people:manage`.";

export function notificationRoutes(api: Api, { notifications, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/notifications",
    schema: {
      operationId: "listNotificationChannels",
      summary: "List the channels of notifications with their latest deliveries",
      description: `${WHO} The section \`notifications\` of the configuration has them. Topics, e-mail addresses, URLs and secrets are in no answer.`,
      tags: TAGS,
      response: {
        200: jsonResponse("The channels, in the order of the configuration.", z.array(NotificationChannel)),
        ...problemResponses(),
      },
    },
    handler: (request): NotificationChannel[] => {
      requireInstaller(callerOf(request));
      return [...notifications.channels()];
    },
  });
  api.route({
    method: "POST",
    url: "/local/notifications/:channelId/test",
    schema: {
      operationId: "testNotificationChannel",
      summary: "Send a test message now, and say what became of it",
      description: `${WHO} It is sent also in quiet hours, and does not count as a message of the day. A message that does not arrive is no error of this request: \`code\` and \`description\` say why.`,
      tags: TAGS,
      params: z.object({ channelId: z.string().max(100).meta({ description: "As the configuration names it." }) }),
      response: { 200: jsonResponse("What became of it.", NotificationDelivery), ...problemResponses("not-found") },
    },
    handler: async (request): Promise<NotificationDelivery> => {
      requireInstaller(callerOf(request));
      return await notifications.test(request.params.channelId);
    },
  });
}
