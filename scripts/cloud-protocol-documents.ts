/** Generates the documents of the cloud protocol: JSON Schemas of its messages, and an AsyncAPI description. */
import { z } from "zod";
import { Batch, Losses, TelemetryPayload } from "../src/sync/protocol/batch.ts";
import { Answer, Command, Configuration, Configured } from "../src/sync/protocol/downlink.ts";
import { Ack, GapRequest, Goodbye, Hello, Refusal, Welcome } from "../src/sync/protocol/handshake.ts";

const SCHEMA_FILE = "cloud-protocol.schema.json";

const TO_CLOUD = {
  Hello: "The positions of the gateway; its first message on each connection.",
  Batch: "Records, and numbers that will never be sent.",
} as const;
const TO_GATEWAY = {
  Welcome: "The positions of the cloud service; its answer to a hello.",
  Ack: "Numbers that the cloud service has committed.",
  Refusal: "A message that cannot be read, and why.",
  GapRequest: "Requests numbers again.",
  Command: "A request to the gateway's API.",
  Configuration: "The remote configuration of the gateway.",
  Goodbye: "Why the cloud service ends the connection.",
} as const;

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Hello,
  Welcome,
  Batch,
  Ack,
  Refusal,
  GapRequest,
  Command,
  Configuration,
  Goodbye,
  Answer,
  Configured,
  Losses,
  TelemetryPayload,
};

/** Returns the JSON Schemas of all messages and of the payloads that belong to the protocol. */
export function cloudProtocolSchema(): object {
  const definitions = Object.entries(SCHEMAS).map(([name, schema]) => {
    const { $schema: _dialect, ...definition } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return [name, definition];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Messages between hemgate and a cloud service",
    $defs: Object.fromEntries(definitions),
  };
}

/** Returns the AsyncAPI 3 description; it refers to the JSON Schemas beside it. */
export function cloudProtocolAsyncApi(): object {
  const summaries = { ...TO_CLOUD, ...TO_GATEWAY };
  const messages = Object.entries(summaries).map(([name, summary]) => [
    name,
    {
      name: z.string().parse(kindOf(name)),
      title: name,
      summary,
      contentType: "application/json",
      payload: { $ref: `./${SCHEMA_FILE}#/$defs/${name}` },
    },
  ]);
  const channel = (address: string, description: string, names: readonly string[]) => ({
    address,
    description,
    parameters: { gateway: { description: "Name of the gateway, set at its enrolment." } },
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
  });
  const operation = (action: "send" | "receive", name: string, names: readonly string[]) => ({
    action,
    channel: { $ref: `#/channels/${name}` },
    messages: names.map((each) => ({ $ref: `#/channels/${name}/messages/${each}` })),
  });
  return {
    asyncapi: "3.0.0",
    info: {
      title: "hemgate and its cloud service",
      version: "1.0.0",
      description: "From the gateway's point of view. docs/cloud-protocol.md describes what each side does when.",
    },
    defaultContentType: "application/json",
    channels: {
      toCloud: channel("hemgate/{gateway}/up", "From a gateway to the cloud service.", Object.keys(TO_CLOUD)),
      toGateway: channel("hemgate/{gateway}/down", "From the cloud service to a gateway.", Object.keys(TO_GATEWAY)),
    },
    operations: {
      tellCloud: operation("send", "toCloud", Object.keys(TO_CLOUD)),
      hearCloud: operation("receive", "toGateway", Object.keys(TO_GATEWAY)),
    },
    components: { messages: Object.fromEntries(messages) },
  };
}

/** Returns the value of `kind` of a message, such as `gap-request`. */
function kindOf(name: string): unknown {
  const schema = SCHEMAS[name];
  return schema instanceof z.ZodObject ? schema.shape["kind"].value : undefined;
}
