/** The channels of notifications for people, with their latest deliveries and a test message. */
import { z } from "zod";
import { ChannelBody, ChannelId, MailServerBody } from "../../../config/notifications-config.ts";
import { MailServerView, NotificationChannel, NotificationDelivery } from "../../../domain/notifications/delivery.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { requireInstaller } from "../people/asker.ts";

const TAGS = ["notifications"];
const WHO = "For owners and installers, and for clients with the scope `people:manage`.";

const SECRETS = "Topics, URLs, tokens, secrets and passwords are in no answer.";
const AT_ONCE = "It counts at once.";
const CHANNEL_PATH = z.object({ channelId: ChannelId });

export function notificationRoutes(api: Api, parts: RouteParts): void {
  listRoute(api, parts);
  changeRoutes(api, parts);
  testRoute(api, parts);
  mailServerRoutes(api, parts);
}

function listRoute(api: Api, { notifications, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/notifications",
    schema: {
      operationId: "listNotificationChannels",
      summary: "List the channels of notifications with their latest deliveries",
      description: `${WHO} The section \`notifications\` of the configuration file has some of them, the others are set here. ${SECRETS}`,
      tags: TAGS,
      response: {
        200: jsonResponse("The channels: those of the file, then those set here.", z.array(NotificationChannel)),
        ...problemResponses(),
      },
    },
    handler: (request): NotificationChannel[] => {
      requireInstaller(callerOf(request));
      return [...notifications.channels()];
    },
  });
}

function changeRoutes(api: Api, { notifications, callerOf }: RouteParts): void {
  api.route({
    method: "PUT",
    url: "/local/notifications/:channelId",
    schema: {
      operationId: "setNotificationChannel",
      summary: "Add a channel of notifications, or change it",
      description: `${WHO} ${AT_ONCE} A secret that is absent stays as it is, but only for the server that it was given for. What was reported over the channel is not reported again. A channel of the configuration file is changed only there.`,
      tags: TAGS,
      params: CHANNEL_PATH,
      body: ChannelBody,
      response: { 200: jsonResponse("The channel.", NotificationChannel), ...problemResponses("conflict") },
    },
    handler: async (request): Promise<NotificationChannel> => {
      requireInstaller(callerOf(request));
      return await notifications.setChannel(request.params.channelId, request.body);
    },
  });
  api.route({
    method: "DELETE",
    url: "/local/notifications/:channelId",
    schema: {
      operationId: "removeNotificationChannel",
      summary: "Remove a channel of notifications",
      description: `${WHO} ${AT_ONCE}`,
      tags: TAGS,
      params: CHANNEL_PATH,
      response: { 204: emptyResponse("It is gone."), ...problemResponses("not-found", "conflict") },
    },
    handler: async (request, reply) => {
      requireInstaller(callerOf(request));
      await notifications.removeChannel(request.params.channelId);
      return await reply.code(204).send();
    },
  });
}

function testRoute(api: Api, { notifications, callerOf }: RouteParts): void {
  api.route({
    method: "POST",
    url: "/local/notifications/:channelId/test",
    schema: {
      operationId: "testNotificationChannel",
      summary: "Send a test message now, and say what became of it",
      description: `${WHO} It is sent also in quiet hours, and does not count as a message of the day. A message that does not arrive is no error of this request: \`code\` and \`description\` say why.`,
      tags: TAGS,
      params: z.object({ channelId: z.string().max(100).meta({ description: "Name of the channel." }) }),
      response: { 200: jsonResponse("What became of it.", NotificationDelivery), ...problemResponses("not-found") },
    },
    handler: async (request): Promise<NotificationDelivery> => {
      requireInstaller(callerOf(request));
      return await notifications.test(request.params.channelId);
    },
  });
}

function mailServerRoutes(api: Api, { notifications, callerOf }: RouteParts): void {
  const url = "/local/mail-server";
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getMailServer",
      summary: "Get the mail server of notifications",
      description: `${WHO} ${SECRETS}`,
      tags: TAGS,
      response: { 200: jsonResponse("The mail server, without its password.", MailServerView), ...problemResponses() },
    },
    handler: (request): MailServerView => {
      requireInstaller(callerOf(request));
      return notifications.mailServer();
    },
  });
  api.route({
    method: "PUT",
    url,
    schema: {
      operationId: "setMailServer",
      summary: "Set the mail server of notifications",
      description: `${WHO} ${AT_ONCE} A mail server of the configuration file is changed only there.`,
      tags: TAGS,
      body: MailServerBody,
      response: { 200: jsonResponse("The mail server.", MailServerView), ...problemResponses("conflict") },
    },
    handler: async (request): Promise<MailServerView> => {
      requireInstaller(callerOf(request));
      return await notifications.setMailServer(request.body);
    },
  });
  api.route({
    method: "DELETE",
    url,
    schema: {
      operationId: "removeMailServer",
      summary: "Remove the mail server of notifications",
      description: `${WHO} Channels that send e-mails are removed first.`,
      tags: TAGS,
      response: { 204: emptyResponse("It is gone."), ...problemResponses("not-found", "conflict") },
    },
    handler: async (request, reply) => {
      requireInstaller(callerOf(request));
      await notifications.removeMailServer();
      return await reply.code(204).send();
    },
  });
}
