/** The gateway's https in the API. */
import { z } from "zod";

const Certificate = z
  .object({
    names: z.array(z.string()).meta({ description: "Host names and IP addresses that it is for." }),
    validFrom: z.iso.datetime(),
    validUntil: z.iso.datetime(),
    fingerprint: z.string().meta({
      description: "SHA-256 of the certificate, 32 bytes as hexadecimal digits with colons.",
      examples: ["3B:0F:7A:11:C2:5D:90:E4:6B:88:21:FA:04:5E:D7:93:1C:AE:62:0B:F9:47:38:D5:7E:A0:19:CB:84:2F:66:9C"],
    }),
  })
  .meta({ id: "HttpsCertificate", description: "A certificate that the gateway shows to browsers." });

const Authority = z
  .object({
    fingerprint: z.string().meta({
      description:
        "SHA-256 of the authority's certificate, 32 bytes as hexadecimal digits with colons. The log and `hemgate claim` show the same.",
    }),
    validUntil: z.iso.datetime(),
    path: z.string().meta({ description: "Where its certificate is downloaded." }),
    domains: z.array(z.string()).meta({ description: "The only domains that it can issue certificates for." }),
  })
  .meta({ id: "HttpsAuthority", description: "The authority that was made on this gateway." });

export const HttpsView = z
  .object({
    source: z.enum(["off", "files", "authority"]).meta({
      description:
        "`off`: the configuration has no section `https`. `files`: a certificate from files of the owner. `authority`: one of the authority that was made on this gateway.",
    }),
    isListening: z.boolean().meta({ description: "`true` while https is answered." }),
    port: z.int().nullable().meta({ description: "TCP port; `null` while it does not listen." }),
    problem: z.string().nullable().meta({
      description: "What is wrong with the certificate and what to do, for people; `null` if nothing is.",
    }),
    certificate: Certificate.nullable(),
    authority: Authority.nullable().meta({ description: "`null` unless the source is `authority`." }),
    isThisEncrypted: z.boolean().meta({
      description: "`true` if this request came over the gateway's https; behind a proxy, over the proxy's.",
    }),
  })
  .meta({ id: "HttpsView", description: "https of the gateway. http is answered beside it, and is not encrypted." });
export type HttpsView = z.infer<typeof HttpsView>;
