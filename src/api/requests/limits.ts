/** What one stranger on the LAN may take of the gateway. Node's own defaults have no cap on connections. */

import { MINUTE_MS } from "../../domain/duration.ts";

/** The largest body of any request. The longest known one, a week of tariff intervals, is a tenth of it. */
export const MAX_BODY_BYTES = 64 * 1024;
/** As long as the line of a request may be: an id is never too long for its path, it is looked up and not found. */
export const MAX_PARAM_CHARACTERS = 16 * 1024;
/** From the first byte of a request to its last. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** From the first byte of a request to the end of its headers; of the first request, from the connection on. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** How long an idle connection is kept for another request. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How long a socket may be silent in the middle of something. */
export const SILENCE_TIMEOUT_MS = 2 * MINUTE_MS;
/** Requests after which a connection is closed, so that none lives for ever. */
export const MAX_REQUESTS_PER_CONNECTION = 100_000;
/** How often the times above are looked at; Node's own default is half a minute. */
export const TIMES_CHECKED_MS = 2_000;
