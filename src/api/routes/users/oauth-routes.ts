/** Where clients get their tokens (rule I5, RFC 6749 section 4.4). */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../../../domain/problem.ts";
import { JSON_TYPE, PROBLEM_TYPE } from "../../answers.ts";
import type { Api, ApiParts } from "../../api.ts";
import { credentialsOfHeader, parseForm, readCredentials, TokenForm } from "../../clients/client-credentials.ts";
import type { ClientSecrets } from "../../clients/client-secrets.ts";
import type { ClientCredentials } from "../../clients/clients.ts";
import { type Attempt, createFailedAttempts } from "../../clients/failed-attempts.ts";
import { OAuthError } from "../../clients/oauth-error.ts";
import { EXPIRES_IN_S, type Tokens } from "../../clients/tokens.ts";
import { DOCS_PATH } from "../../openapi/docs.ts";
import { baseUrl } from "../../requests/base-url.ts";
import { problemOf } from "../../requests/error-handler.ts";
import { jsonResponse, openProblemResponses } from "../../responses.ts";

export const TOKEN_PATH = "/oauth2/token";
/** RFC 8414, 3. */
export const OAUTH_METADATA_PATH = "/.well-known/oauth-authorization-server";
const FORM_TYPE = "application/x-www-form-urlencoded";
const EXPECTED = `Send a form, as Content-Type ${FORM_TYPE}, with grant_type=client_credentials.`;
const MAX_FORM_BYTES = 4_096;
const RETRY_AFTER_S = 1;

const TokenAnswer = z
  .object({
    access_token: z.string(),
    expires_in: z.int().meta({ description: "Seconds." }),
    scope: z.literal(""),
    token_type: z.literal("bearer"),
  })
  .meta({ id: "AccessToken" });

const OAuthProblem = z.object({ error: z.string(), error_description: z.string() }).meta({ id: "OAuthError" });

/** What clients can find out about the token route by themselves (RFC 8414, 2). */
const OAuthMetadata = z
  .object({
    issuer: z.url().meta({ description: "The gateway, under the name that it was asked by." }),
    token_endpoint: z.url(),
    grant_types_supported: z.array(z.literal("client_credentials")),
    token_endpoint_auth_methods_supported: z.array(z.enum(["client_secret_basic", "client_secret_post"])),
    response_types_supported: z
      .array(z.string())
      .meta({ description: "None: there is no authorization endpoint. The RFC asks for the field all the same." }),
    service_documentation: z.url(),
  })
  .meta({ id: "OAuthMetadata" });

/** The token route, with its own forms and its own errors. */
export function oauthRoutes(api: Api, parts: ApiParts, tokens: Tokens): void {
  const admit = createSecretCheck(parts);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(FORM_TYPE, { parseAs: "string", bodyLimit: MAX_FORM_BYTES }, (_request, text, done) => {
    done(null, parseForm(text.toString()));
  });
  api.setErrorHandler(answerOAuthError);
  metadataRoute(api, parts);
  api.route({
    method: "POST",
    url: TOKEN_PATH,
    preValidation: (request, _reply, done) => {
      done(request.body === undefined ? new OAuthError("invalid_request", EXPECTED) : undefined);
    },
    schema: {
      operationId: "createToken",
      summary: "Get an access token",
      description:
        "The client's id and secret go into Basic authentication or into the form. A token counts for an hour; get a new one then, not one for each request. Wrong secrets are slowed down by address.",
      tags: ["authentication"],
      security: [{ clientBasic: [] }, {}],
      consumes: [FORM_TYPE],
      body: TokenForm,
      response: {
        ...openProblemResponses("payload-too-large"),
        200: jsonResponse("A new token.", TokenAnswer),
        400: {
          description: "The request is not one for a token, or problem `unsupported-version`.",
          content: { "application/json": { schema: OAuthProblem }, [PROBLEM_TYPE]: { schema: Problem } },
        },
        401: jsonResponse("The client is unknown or its secret is wrong.", OAuthProblem),
        429: jsonResponse("Too many failed attempts from this address.", OAuthProblem),
        503: jsonResponse("Too many requests for a token at once.", OAuthProblem),
      },
    },
    handler: async (request, reply) => {
      const credentials = readCredentials(request.headers.authorization, request.body);
      const clientId = await admit(credentials, request.ip);
      const token = await tokens.issue(clientId);
      const answer = { access_token: token, expires_in: EXPIRES_IN_S, scope: "", token_type: "bearer" } as const;
      return reply.header("pragma", "no-cache").type(JSON_TYPE).send(answer);
    },
  });
}

function metadataRoute(api: Api, { config }: Pick<ApiParts, "config">): void {
  api.route({
    method: "GET",
    url: OAUTH_METADATA_PATH,
    schema: {
      operationId: "getOAuthMetadata",
      summary: "Tell how access tokens are got (RFC 8414)",
      description: "Without a token. Libraries for OAuth 2 find the token endpoint and the ways to authenticate by it.",
      tags: ["authentication"],
      security: [{}],
      response: { 200: jsonResponse("How it is done here.", OAuthMetadata), ...openProblemResponses() },
    },
    handler: (request): z.infer<typeof OAuthMetadata> => {
      const issuer = baseUrl(request, config.linking.url);
      return {
        issuer,
        token_endpoint: `${issuer}${TOKEN_PATH}`,
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        response_types_supported: [],
        service_documentation: `${issuer}${DOCS_PATH}`,
      };
    },
  });
}

/** The client whose known secret is in the header of a request for a token, so that it is counted as that client's. */
export function createProof(secrets: ClientSecrets): (request: FastifyRequest) => string | null {
  return ({ routeOptions, headers }) => {
    if (routeOptions.url !== TOKEN_PATH || headers.authorization === undefined) return null;
    try {
      return secrets.recall(credentialsOfHeader(headers.authorization))?.id ?? null;
    } catch (error) {
      // The route says what is wrong with the header.
      if (error instanceof OAuthError) return null;
      throw error;
    }
  };
}

/** Checks credentials in turn, slows down guessing, and answers the client's id. */
function createSecretCheck({ secrets, clock, log }: ApiParts) {
  const attempts = createFailedAttempts(clock);

  const refuseBlocked = (attempt: Attempt): void => {
    const waitMs = attempts.waitMs(attempt);
    if (waitMs === 0) return;
    throw new OAuthError("slow_down", "Too many failed attempts from this address.", Math.ceil(waitMs / 1000));
  };

  return async (credentials: ClientCredentials, address: string): Promise<string> => {
    // A known client gets its token even while wrong secrets come from the same address.
    const known = secrets.recall(credentials);
    if (known !== null) return known.id;
    const attempt = { address, clientId: credentials.id };
    refuseBlocked(attempt);
    const client = await secrets.verify(credentials, {
      isAhead: attempts.isClean(address),
      // Asked again: others from the same address may have failed while this one waited.
      before: () => refuseBlocked(attempt),
    });
    if (client !== null) return client.id;
    if (attempts.note(attempt)) log.warn({ address }, "too many failed attempts to get a token");
    throw new OAuthError("invalid_client", "The client is unknown or its secret is wrong.");
  };
}

function answerOAuthError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, status, retryAfterS } = asOAuthError(error);
  if (code === "invalid_client") reply.header("www-authenticate", 'Basic realm="hemgate", charset="UTF-8"');
  if (retryAfterS !== null) reply.header("retry-after", String(retryAfterS));
  return reply
    .code(status)
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: code, error_description: message }));
}

/** What the RFC has a word for. The rest is thrown on and becomes a problem as anywhere else. */
function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const { slug, message } = problemOf(error);
  if (slug === "bad-request") return new OAuthError("invalid_request", message);
  if (slug === "unsupported-media-type") return new OAuthError("invalid_request", EXPECTED);
  if (slug === "service-unavailable") return new OAuthError("temporarily_unavailable", message, RETRY_AFTER_S);
  throw error;
}
