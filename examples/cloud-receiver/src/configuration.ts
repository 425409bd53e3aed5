/** What the service is told by its environment. */
import { z } from "zod";

const whole = (low: number, high: number, otherwise: number) =>
  z.coerce.number().int().min(low).max(high).default(otherwise);

const Settings = z.object({
  /** A broker of MQTT 5, such as `mqtts://broker.example`; one of the three URLs has to be there. */
  MQTT_URL: z.url({ protocol: /^mqtts?$/ }).optional(),
  MQTT_USERNAME: z.string().optional(),
  MQTT_PASSWORD: z.string().optional(),
  /** PEM file of the authorities that the broker is checked against, instead of the public ones. */
  MQTT_CA_FILE: z.string().optional(),
  /** RabbitMQ, such as `amqps://receiver:password@broker.example/vhost`. */
  AMQP_URL: z.url({ protocol: /^amqps?$/ }).optional(),
  /** As MQTT_CA_FILE. */
  AMQP_CA_FILE: z.string().optional(),
  /** NATS with JetStream, such as `tls://receiver:password@broker.example:4222`. */
  NATS_URL: z.url({ protocol: /^(nats|tls)$/ }).optional(),
  /** As MQTT_CA_FILE. */
  NATS_CA_FILE: z.string().optional(),
  /** Before a gateway's name in each topic. */
  TOPIC_PREFIX: z
    .string()
    .regex(/^[^+#/$]+(\/[^+#/]+)*$/)
    .default("hemgate"),
  /** All copies of one service have the same; another service that reads along has another. */
  SHARE_GROUP: z
    .string()
    .regex(/^[^+#/]+$/)
    .default("receiver"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Frames that one copy works on at once; each has a connection to the database, and one to a broker of MQTT. */
  WORKERS: whole(1, 64, 4),
  /** Frames that the broker sends ahead of its acknowledgement, for each of those. */
  RECEIVE_MAXIMUM: whole(1, 1_000, 8),
  /** Batches that a gateway may have on their way. */
  WINDOW: whole(1, 32, 8),
  HTTP_PORT: whole(0, 65_535, 8080),
  HTTP_HOST: z.string().default("127.0.0.1"),
  /** What clients of the fleet's API show as their bearer token. */
  API_TOKEN: z.string().min(24),
});

/** Of the enrolment service, which a copy has when a port is named. */
const EnrolmentSettings = z.object({
  ENROLMENT_PORT: whole(0, 65_535, 8443),
  ENROLMENT_HOST: z.string().optional(),
  /** By which gateways reach it. */
  ENROLMENT_URL: z.url({ protocol: /^https$/ }).regex(/\/$/, "it ends with no slash"),
  /** PEM files: its own certificate and key, and the key that answers are signed with. */
  ENROLMENT_CERT_FILE: z.string(),
  ENROLMENT_KEY_FILE: z.string(),
  ENROLMENT_SIGNING_KEY_FILE: z.string(),
  /** PEM files of who issues the gateways' certificates. */
  GATEWAYS_CA_FILE: z.string(),
  GATEWAYS_CA_KEY_FILE: z.string(),
  /** The broker, as gateways reach it, and the authorities that they check it against. */
  GATEWAYS_MQTT_URL: z.url({ protocol: /^mqtts$/ }),
  GATEWAYS_MQTT_CA_FILE: z.string(),
  GATEWAYS_TOPIC_PREFIX: z.string().default("hemgate"),
});

/** All of it is read out of the same environment. */
function withEnrolment(environment: unknown): unknown {
  const named = Object(environment) as Readonly<Record<string, unknown>>;
  return named["ENROLMENT_PORT"] === undefined ? environment : { ...named, enrolment: environment };
}

export const Configuration = z.preprocess(
  withEnrolment,
  Settings.extend({ enrolment: EnrolmentSettings.optional() }).refine(
    ({ MQTT_URL, AMQP_URL, NATS_URL }) =>
      [MQTT_URL, AMQP_URL, NATS_URL].filter((url) => url !== undefined).length === 1,
    { error: "one broker has to be named: MQTT_URL, AMQP_URL or NATS_URL" },
  ),
);
export type Configuration = z.infer<typeof Configuration>;
