/** A client of a gateway's API for browsers and Node, without dependencies. docs/client.md shows how it is used. */
export { type Client, type ClientOptions, createClient, type RequestOptions } from "./client.ts";
export { ClientError, type ClientErrorIssue } from "./client-error.ts";
export type { EventOptions, GatewayEvent, LiveMessage } from "./events.ts";
export type { Credentials, Retries } from "./transport.ts";
export type { Answer, Entry, Input, ListPath, Method, Path, Schemas } from "./types.ts";
export { type Delivery, readWebhook, verifyWebhook } from "./webhook.ts";
