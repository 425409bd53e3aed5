/** The contract with a cloud service as documents: JSON Schemas of its messages, and an AsyncAPI description. */
import { z } from "zod";
import { Batch, Losses, TelemetryPayload } from "../src/sync/protocol/batch.ts";
import { Answer, Command, Configuration, Configured } from "../src/sync/protocol/downlink.ts";
import { Ack, GapRequest, Goodbye, Hello, Refusal, Welcome } from "../src/sync/protocol/meeting.ts";

const SCHEMA_FILE = "cloud-protocol.schema.json";

const TO_CLOUD = {
  Hello: "Where the gateway stands; its first message on every connection.",
  Batch: "Records, and numbers that will never come.",
} as const;
const TO_GATEWAY = {
  Welcome: "Where the cloud service stands; its answer to a hello.",
  Ack: "Numbers that the cloud service has committed.",
  Refusal: "A message that cannot be read, and why.",
  GapRequest: "Asks for numbers once more.",
  Command: "A request of the gateway's API.",
  Configuration: "How the gateway shall tell.",
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

/** JSON Schemas of all messages, and of the payloads that are the contract's own. */
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

/** The AsyncAPI 3 description, which refers to the JSON Schemas beside it. */
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
    parameters: { gateway: { description: "Which gateway it is; given when it is enrolled." } },
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
      description: "As the gateway sees it. docs/cloud-protocol.md says what each side does when.",
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

/** The value of `kind` in a message, such as `gap-request`. */
function kindOf(name: string): unknown {
  const schema = SCHEMAS[name];
  return schema instanceof z.ZodObject ? schema.shape["kind"].value : undefined;
}
