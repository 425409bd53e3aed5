import { z } from "zod";
import { CONTROLS_IN_URL, hasNoControls } from "../domain/fields.ts";

/** Where nothing else is said. */
export const DEFAULT_EVENT_MEGABYTES = 64;

const MAX_UPLINKS = 8;
const MAX_SERVERS = 16;
const MAX_PATH = 1_000;

const CaFile = z.string().min(1).max(MAX_PATH).optional().meta({
  description: "PEM file of the authorities that the servers are checked against; default: the public ones.",
});

const Mqtt = z.strictObject({
  kind: z.literal("mqtt"),
  servers: z
    .array(z.string().regex(/^mqtts:\/\/[^/@\s?#]+$/, { error: "expected mqtts://host or mqtts://host:8883" }))
    .min(1)
    .max(MAX_SERVERS)
    .meta({ description: "Servers of one cluster, tried in turn, such as mqtts://mqtt.cloud.example." }),
  topicPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+){0,7}$/)
    .max(200)
    .default("hemgate")
    .meta({ description: "Before the gateway's name in each topic." }),
  version: z.enum(["5", "3.1.1"]).optional().meta({ description: "Of MQTT; default: what the servers know." }),
  caFile: CaFile,
});

const Https = z.strictObject({
  kind: z.literal("https"),
  url: z
    .string()
    .regex(/^https:\/\/[^@\s?#]+$/, { error: "expected https://host or https://host/path" })
    .refine(hasNoControls, CONTROLS_IN_URL)
    .max(500)
    .meta({ description: "What the paths are below, such as https://sync.cloud.example/." }),
  caFile: CaFile,
});

const Credentials = z.strictObject({
  certFile: z.string().min(1).max(MAX_PATH).optional().meta({
    description: "PEM file of the gateway's certificate, with who issued it. Files are read before each connection.",
  }),
  keyFile: z.string().min(1).max(MAX_PATH).optional().meta({ description: "PEM file of its private key." }),
  username: z.string().min(1).max(256).optional().meta({ description: "Default: the gateway's name." }),
  password: z.string().min(1).max(4_096).optional().meta({ description: "Instead of a certificate." }),
  passwordFile: z.string().min(1).max(MAX_PATH).optional().meta({
    description: "File with the password in its first line, such as a credential of systemd.",
  }),
});

/** The cloud service that the gateway sends its records to. */
export const CloudConfig = z
  .strictObject({
    gateway: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
      .optional()
      .meta({ description: "Name of this gateway at the cloud service; left out where it is enrolled." }),
    uplinks: z
      .array(z.discriminatedUnion("kind", [Mqtt, Https]))
      .min(1)
      .max(MAX_UPLINKS)
      .optional()
      .meta({ description: "Ways there, in the order of preference; one is used at a time." }),
    credentials: Credentials.optional().meta({ description: "How the gateway signs in there." }),
    maxEventMegabytes: z.int().min(1).max(4_096).default(DEFAULT_EVENT_MEGABYTES).meta({
      description:
        "Events that may wait for the cloud service; beyond that its commands are refused until it has taken some. None is dropped.",
    }),
  })
  .superRefine((cloud, context) => {
    for (const { path, problem } of problemsOf(cloud))
      context.addIssue({ code: "custom", path: [...path], message: problem });
  });

type Cloud = z.infer<typeof CloudConfig>;

/** What stands there instead of an enrolment. */
interface CloudProvision {
  readonly gateway: string;
  readonly uplinks: NonNullable<Cloud["uplinks"]>;
  readonly credentials: z.infer<typeof Credentials>;
}

/** Null: the gateway connects when it is enrolled. */
export function cloudProvision(cloud: Cloud | undefined): CloudProvision | null {
  const { gateway, uplinks, credentials } = cloud ?? {};
  return gateway === undefined || uplinks === undefined || credentials === undefined
    ? null
    : { gateway, uplinks, credentials };
}

interface Problem {
  readonly path: readonly string[];
  readonly problem: string;
}

const TOGETHER = ["gateway", "uplinks", "credentials"] as const;

function problemsOf(cloud: Cloud): readonly Problem[] {
  const there = TOGETHER.filter((key) => cloud[key] !== undefined);
  const missing = TOGETHER.filter((key) => cloud[key] === undefined);
  const lacking = there.length === 0 ? [] : missing;
  return [
    ...lacking.map((key) => ({
      path: [key],
      problem: `missing beside ${there.join(" and ")}; without all three the gateway connects when it is enrolled`,
    })),
    ...ofCredentials(cloud),
  ];
}

function ofCredentials({ gateway, uplinks = [], credentials }: Cloud): readonly Problem[] {
  if (credentials === undefined) return [];
  const { certFile, keyFile, username, password, passwordFile } = credentials;
  const tell = (problem: string, ...path: readonly string[]): Problem => ({ path: ["credentials", ...path], problem });
  const passwords = [password, passwordFile].filter((each) => each !== undefined).length;
  const hasCertificate = certFile !== undefined || keyFile !== undefined;
  if (hasCertificate && (passwords > 0 || username !== undefined)) {
    return [tell("a certificate or a password, not both")];
  }
  if (hasCertificate) {
    return [
      ...(certFile === undefined ? [tell("missing beside keyFile", "certFile")] : []),
      ...(keyFile === undefined ? [tell("missing beside certFile", "keyFile")] : []),
    ];
  }
  if (passwords === 0) return [tell("neither a certificate (certFile, keyFile) nor a password or passwordFile")];
  const isSplit = (username ?? gateway ?? "").includes(":") && uplinks.some(({ kind }) => kind === "https");
  return [
    ...(passwords > 1 ? [tell("password or passwordFile, not both")] : []),
    ...(isSplit ? [tell("a name with a colon cannot sign in by HTTPS", "username")] : []),
  ];
}
