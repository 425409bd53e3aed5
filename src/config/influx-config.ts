import { z } from "zod";
import { urlOf } from "../domain/fields.ts";

const NAME = z.string().min(1).max(255);
const SECRET = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, { error: "expected visible ASCII characters without spaces" });

const SHARED = {
  url: urlOf("http:", "https:")
    .refine((text) => URL.parse(text)?.username === "", { error: "put the account into username and password" })
    .meta({ description: "Address of the server, such as http://192.168.1.30:8086; http only in the house." }),
  intervalSeconds: z.int().min(1).max(3_600).default(10).meta({
    description: "How often readings are sent: of each point the latest, if it is new.",
  }),
  maxWaitingMegabytes: z.int().min(1).max(64).default(4).meta({
    description: "Memory for what waits while the server does not answer; then the oldest is dropped.",
  }),
};

const Version1 = z
  .strictObject({
    version: z.literal(1),
    ...SHARED,
    database: NAME.meta({ description: "The database, which has to exist." }),
    username: NAME.optional().meta({ description: "Account, if the server asks for one." }),
    password: z.string().min(1).max(1_000).optional(),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    path: ["username"],
    error: "username and password belong together",
  });

const Version2 = z.strictObject({
  version: z.literal(2).meta({ description: "Also for InfluxDB 3." }),
  ...SHARED,
  bucket: NAME.meta({ description: "The bucket, which has to exist." }),
  org: NAME.optional().meta({ description: "The organization; InfluxDB 3 has none." }),
  token: SECRET.meta({ description: "May write to the bucket." }),
});

/** The `influx` section; its place in the configuration has the description. */
export const InfluxConfig = z.discriminatedUnion("version", [Version1, Version2]);
