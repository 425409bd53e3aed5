/** The gateway's https: how it stands, and the certificate of the authority that was made here. */
import { z } from "zod";
import { HttpsView } from "../../../domain/https/https-view.ts";
import { problem } from "../../../domain/problem.ts";
import { AUTHORITY_PATH } from "../../../engine/contracts/https/https.ts";
import type { Api, RouteParts } from "../../api.ts";
import { isSecure } from "../../people/session-cookie.ts";
import { jsonResponse, openProblemResponses } from "../../responses.ts";

const HTTPS_PATH = "/local/https";
/** What nobody needs a token for: a browser asks before it trusts the gateway. */
export const HTTPS_PATHS: readonly string[] = [HTTPS_PATH, AUTHORITY_PATH];
const TAGS = ["installation"];
/** By it phones offer to install the certificate. */
const CERTIFICATE_TYPE = "application/x-x509-ca-cert";
const OFF: Omit<HttpsView, "isThisEncrypted"> = {
  source: "off",
  isListening: false,
  port: null,
  problem: null,
  certificate: null,
  authority: null,
};

export function httpsRoutes(api: Api, { https }: RouteParts): void {
  api.route({
    method: "GET",
    url: HTTPS_PATH,
    schema: {
      operationId: "getHttps",
      summary: "Show whether https is answered, and by which certificate",
      description:
        "Needs no token: it has nothing that a connection to the gateway does not show. The section `https` of the configuration turns it on; `docs/https.md` says how to trust the authority.",
      tags: TAGS,
      security: [{}],
      response: { 200: jsonResponse("https as it is now.", HttpsView), ...openProblemResponses() },
    },
    handler: (request): HttpsView => ({ ...(https?.state() ?? OFF), isThisEncrypted: isSecure(request) }),
  });
  api.route({
    method: "GET",
    url: AUTHORITY_PATH,
    schema: {
      operationId: "downloadAuthority",
      summary: "Download the certificate of the gateway's authority",
      description:
        "Needs no token, and is answered over http too: compare its fingerprint with that of the log or of `hemgate claim` before you trust it. It is limited to names and addresses of houses.",
      tags: TAGS,
      security: [{}],
      response: {
        200: { description: "The certificate, DER.", content: { [CERTIFICATE_TYPE]: { schema: z.string() } } },
        ...openProblemResponses("not-found"),
      },
    },
    handler: (_request, reply) => {
      const certificate = https?.authority() ?? null;
      if (certificate === null) throw problem("not-found", "The gateway has made no authority; `https` turns that on.");
      return reply
        .type(CERTIFICATE_TYPE)
        .header("content-disposition", 'attachment; filename="hemgate-authority.crt"')
        .header("cache-control", "no-cache")
        .send(Buffer.from(certificate));
    },
  });
}
