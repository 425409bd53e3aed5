import { z } from "zod";

const VENDOR = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);
const MAX_SECRET = 4_000;
const MAX_DOMAIN = 253;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** What a vendor gave the owner who registered with it as a developer. */
const CloudApp = z.strictObject({
  clientId: z.string().min(1).max(1_000).meta({ description: "The registration's id, as the vendor gave it." }),
  clientSecret: z.string().min(1).max(MAX_SECRET).optional().meta({
    description: "The registration's secret; leave it out where the vendor gave none.",
  }),
  apiKey: z.string().min(1).max(MAX_SECRET).optional().meta({
    description: "The key that some vendors want beside the token, such as Enphase.",
  }),
  domain: z.string().max(MAX_DOMAIN).regex(DOMAIN, "This is no name of a domain.").optional().meta({
    description:
      "The domain that you registered the app with, where the vendor looks for its public key, such as Tesla.",
  }),
});

export const CloudsConfig = z.strictObject({
  apps: z.record(VENDOR, CloudApp).default({}).meta({
    description: "Your registrations with vendors whose clouds take no others, by the vendor's name, such as tesla.",
  }),
});
