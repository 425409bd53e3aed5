import { z } from "zod";
import { CONTROLS_IN_URL, hasNoControls } from "../domain/fields.ts";
import { isTopicFilter } from "../platform/mqtt/topic-filter.ts";

const MAX_USERS = 100;
const MAX_FILTERS = 50;

const TopicFilter = z
  .string()
  .refine(isTopicFilter, { error: "not an MQTT topic filter; + and # each fill a whole level, # only the last" });

const User = z.strictObject({
  username: z.string().min(1).max(255).meta({ description: "What a device or program signs in with." }),
  password: z.string().min(8).max(255).meta({ description: "At least 8 characters." }),
  publish: z.array(TopicFilter).max(MAX_FILTERS).default([]).meta({
    description: "Topics it may publish at, such as tele/#; of the gateway's own only commands, hemgate/+/+/+/set.",
  }),
  subscribe: z
    .array(TopicFilter)
    .max(MAX_FILTERS)
    .default([])
    .meta({ description: "Topics it may read, such as cmnd/plug/#." }),
});

/** Limits of the embedded broker, each within bounds that a small machine bears. */
export const MqttLimits = z.strictObject({
  connections: z.int().min(1).max(1_000).default(100).meta({ description: "Clients that are connected." }),
  connectionsPerAddress: z
    .int()
    .min(1)
    .max(1_000)
    .default(50)
    .meta({ description: "Connections of one address that have not signed in yet." }),
  packetBytes: z.int().min(1_024).max(4_194_304).default(262_144).meta({ description: "Of one packet of a client." }),
  packetsPerSecond: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .meta({ description: "Of one client; one that sends more is read more slowly." }),
  subscriptionsPerClient: z.int().min(1).max(1_000).default(50).meta({ description: "Further ones are refused." }),
  topicLevels: z.int().min(4).max(100).default(16).meta({ description: "Levels of a topic, parted by slashes." }),
  inflight: z.int().min(1).max(1_000).default(50).meta({ description: "Messages of one client under way at QoS 2." }),
  sessions: z.int().min(0).max(1_000).default(100).meta({ description: "Sessions kept without a connection." }),
  queuedMessages: z
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .meta({ description: "Messages that wait for a client in its session." }),
  sessionHours: z
    .int()
    .min(1)
    .max(720)
    .default(24)
    .meta({ description: "How long a session is kept after its client has left." }),
  keepaliveSeconds: z
    .int()
    .min(10)
    .max(65_535)
    .default(300)
    .meta({ description: "Longest keepalive of a client; 0, for none, is refused." }),
  drainSeconds: z
    .int()
    .min(1)
    .max(600)
    .default(10)
    .meta({ description: "How long a client may leave unread what it is sent." }),
  retainedMessages: z.int().min(0).max(20_000).default(2_000).meta({ description: "Retained messages of clients." }),
  retainedBytes: z
    .int()
    .min(0)
    .max(67_108_864)
    .default(4_194_304)
    .meta({ description: "Topics and payloads of those together." }),
  storedBytesPerDay: z
    .int()
    .min(0)
    .max(33_554_432)
    .default(1_048_576)
    .meta({ description: "Bytes of retained messages written to disk a day, to survive a restart." }),
  wrongSignIns: z.int().min(1).max(1_000).default(10).meta({
    description:
      "Wrong passwords of one user from one address before it has to wait, ever longer; of all its users, thrice as many.",
  }),
});
export type MqttLimits = z.infer<typeof MqttLimits>;

/** The `mqtt` section; its place in the configuration has the description. */
export const MqttConfig = z.strictObject({
  host: z.string().default("127.0.0.1").meta({ description: "Address the embedded broker listens on." }),
  port: z.int().min(0).max(65_535).default(1883).meta({ description: "TCP port; 0 takes any free one." }),
  tls: z
    .strictObject({
      port: z.int().min(0).max(65_535).default(8883).meta({ description: "TCP port for TLS; 0 takes any free one." }),
      certFile: z.string().min(1).meta({ description: "PEM file of the certificate, with its chain." }),
      keyFile: z.string().min(1).meta({ description: "PEM file of its private key." }),
    })
    .nullable()
    .default(null)
    .meta({ description: "TLS beside plain TCP; null: none." }),
  users: z.array(User).max(MAX_USERS).default([]).meta({
    description: "Devices and programs that sign in, beside the clients of the API, who only read hemgate/#.",
  }),
  limits: MqttLimits.prefault({}),
  broker: z
    .strictObject({
      url: z
        .string()
        .regex(/^mqtts?:\/\/[^/@\s]+$/, {
          error: "expected mqtt://host, mqtt://host:1883 or mqtts://host:8883",
        })
        .refine(hasNoControls, CONTROLS_IN_URL),
      username: z.string().min(1).optional(),
      password: z.string().min(1).optional(),
      clientId: z.string().min(1).max(23).optional().meta({ description: "Default: one of the gateway's own." }),
      caFile: z
        .string()
        .min(1)
        .optional()
        .meta({ description: "PEM file of the authorities that the server is checked against." }),
    })
    .nullable()
    .default(null)
    .meta({ description: "A broker elsewhere, instead of the embedded one: states and devices are there." }),
  homeAssistant: z
    .strictObject({
      isEnabled: z.boolean().default(true).meta({ description: "Whether assets announce themselves." }),
      prefix: z
        .string()
        .regex(/^[A-Za-z0-9_/-]+$/)
        .default("homeassistant")
        .meta({ description: "Where Home Assistant listens for announcements." }),
    })
    .prefault({}),
  commands: z
    .strictObject({
      isEnabled: z.boolean().default(true).meta({
        description: "Whether hemgate/…/set topics command devices. On a broker elsewhere that broker says who may.",
      }),
    })
    .prefault({}),
});
export type MqttConfig = z.infer<typeof MqttConfig>;
