import { z } from "zod";

const filePath = z.string().min(1).max(4_096);

/** https beside http. */
export const HttpsConfig = z.strictObject({
  port: z.int().min(0).max(65_535).default(8443).meta({ description: "TCP port; 0 takes any free one." }),
  certFile: filePath.optional().meta({
    description:
      "PEM file of your certificate, followed by those of its issuers; read again when it changes. Without it an authority that is made on the gateway issues one.",
  }),
  keyFile: filePath
    .optional()
    .meta({ description: "PEM file of that certificate's private key, without a passphrase." }),
  redirectsPage: z.boolean().default(false).meta({
    description: "Whether browsers that open the home page over http are sent to https. Programs never are.",
  }),
});

export type HttpsSettings = z.infer<typeof HttpsConfig>;

interface HttpsParts {
  readonly https?: HttpsSettings | undefined;
  readonly http: { readonly port: number };
  readonly modbusProxy?: { readonly port: number } | undefined;
  readonly mqtt?: { readonly port: number; readonly broker?: unknown } | undefined;
}

/** Reports what of https does not fit the rest of the configuration. */
export function checkHttps({ https, http, mqtt, modbusProxy }: HttpsParts, context: z.RefinementCtx): void {
  if (https === undefined) return;
  const report = (key: string, message: string): void =>
    context.addIssue({ code: "custom", path: ["https", key], message, params: { isOption: true } });
  if (https.certFile !== undefined && https.keyFile === undefined) {
    report(
      "certFile",
      "a certificate needs its private key: add https.keyFile, or remove this for the gateway's own authority",
    );
  }
  if (https.keyFile !== undefined && https.certFile === undefined) {
    report(
      "keyFile",
      "a private key needs its certificate: add https.certFile, or remove this for the gateway's own authority",
    );
  }
  const others = {
    "http.port": http.port,
    ...(mqtt !== undefined && mqtt.broker == null && { "mqtt.port": mqtt.port }),
    ...(modbusProxy !== undefined && { "modbusProxy.port": modbusProxy.port }),
  };
  for (const [name, port] of Object.entries(others)) {
    if (port !== 0 && port === https.port) report("port", `${name} is ${port} already; take another one`);
  }
}
