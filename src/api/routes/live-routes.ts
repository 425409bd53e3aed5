/** The state of the house as it changes, as server-sent events. */
import { Readable } from "node:stream";
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import type { LiveStream } from "../../engine/contracts/live.ts";
import type { People } from "../../engine/contracts/people.ts";
import { type Api, type RouteParts, versionOf } from "../api.ts";
import { problemResponses } from "../responses.ts";

const EVENTS_PATH = "/local/events";
const EVENT_STREAM = "text/event-stream; charset=utf-8";
/** What is read ahead of a slow reader, beside the socket's own buffers; the rest is read when it is taken. */
const READ_AHEAD_BYTES = 16 * 1024;

const Kinds = z
  .string()
  .max(200)
  .transform((text, context): readonly AssetKind[] => {
    const names = text.split(",");
    const kinds = ASSET_KINDS.filter((kind) => names.includes(kind));
    if (kinds.length === new Set(names).size) return kinds;
    context.addIssue({ code: "custom", message: `Expected kinds out of ${ASSET_KINDS.join(", ")}` });
    return z.NEVER;
  });

const EventsQuery = z.object({
  kind: Kinds.optional().meta({ description: "Kinds of asset, separated by commas; all when absent." }),
  userId: z.string().optional().meta({ description: "Only what belongs to this user." }),
});

const EventsHeaders = z.looseObject({
  "last-event-id": z.string().optional().meta({ description: "The last `id` of an earlier stream, to go on there." }),
});

const DESCRIPTION = [
  "Server-sent events. A stream begins with an event named `snapshot` (`reason`, `version`, `assets`), then the state",
  "of each asset as `user:<kind>:current`, then an event named `live`. From there on the unnamed events are those that",
  "webhooks get, one JSON object each, at the pace of the devices. Each carries an `id`; a reader that comes back with",
  "`Last-Event-ID` gets what changed since, or a new snapshot whose `reason` says why. A slow reader gets the newest",
  "state of each device. `user:hem-system:power`, which no webhook gets, tells in `power` what a house uses now: `load`,",
  "`grid` (import is positive), `generation` and `battery` (charging is positive), kW, null while it cannot be known;",
  "powers that stay the same come again each 20 s while they are measured.",
  "A stream ends after an hour; come back with a fresh token.",
].join(" ");

export function liveRoutes(api: Api, { live, engine, callerOf }: RouteParts): void {
  api.addHook("preClose", (done) => {
    live.endStreams();
    done();
  });
  api.route({
    method: "GET",
    url: EVENTS_PATH,
    exposeHeadRoute: false,
    schema: {
      operationId: "streamEvents",
      summary: "Follow the state of the house",
      description: DESCRIPTION,
      tags: ["live"],
      querystring: EventsQuery,
      headers: EventsHeaders,
      response: {
        200: { description: "The stream.", content: { "text/event-stream": { schema: z.string() } } },
        ...problemResponses("not-found", "too-many-requests"),
      },
    },
    handler: (request, reply) => {
      const { kind, userId } = request.query;
      if (userId !== undefined) engine.services.users.require(userId);
      const stream = live.open({
        version: versionOf(request).date,
        kinds: kind ?? null,
        userId: userId ?? null,
        lastEventId: request.headers["last-event-id"] ?? null,
      });
      if (stream === null) throw problem("too-many-requests", "As many readers as can be served follow already.");
      const readable = readableOf(stream);
      const { session } = callerOf(request);
      if (session !== null) endWith(session.id, readable, engine.services.people);
      return reply
        .headers({
          "content-type": EVENT_STREAM,
          "cache-control": "no-store, no-transform",
          // Proxies hand on what they get instead of gathering it.
          "x-accel-buffering": "no",
          // The connection ends with the stream, so that a stop of the gateway waits for no reader.
          connection: "close",
        })
        .send(readable);
    },
  });
}

/** Who signs out reads no longer. */
function endWith(sessionId: string, readable: Readable, people: Pick<People, "observeEnds">): void {
  const watch = people.observeEnds((endedId) => {
    if (endedId === sessionId) readable.destroy();
  });
  readable.once("close", () => watch[Symbol.dispose]());
}

/** Takes from the stream only what the socket has room for. */
function readableOf(stream: LiveStream): Readable {
  let isHungry = false;
  const readable = new Readable({
    highWaterMark: READ_AHEAD_BYTES,
    read: () => feed(),
    destroy(error, done) {
      stream[Symbol.dispose]();
      done(error);
    },
  });
  const feed = (): void => {
    isHungry = false;
    for (let text = stream.next(); text !== null; text = stream.next()) if (!readable.push(text)) return;
    isHungry = true;
    if (stream.isOver && !readable.destroyed) readable.push(null);
  };
  stream.watch(() => {
    if (isHungry || stream.isOver) feed();
  });
  return readable;
}
