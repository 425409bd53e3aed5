/** Limits of the cloud protocol. Bytes are of the JSON text before packing. */

import { DAY_MS } from "../../domain/duration.ts";

/** The protocol version of this code. Additions keep the number; any other change gets a new one. */
export const PROTOCOL_VERSION = 1;

/** Maximum size of one message. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
/** Target size of a batch; a single record may make it larger, up to `MAX_MESSAGE_BYTES`. */
export const MAX_BATCH_BYTES = 192 * 1024;
export const MAX_BATCH_RECORDS = 500;
/** Maximum number of unacknowledged batches of one gateway, whatever the cloud service allows. */
export const MAX_WINDOW = 32;
/** Starts of the gateway in a hello. */
export const MAX_BOOTS = 256;
/** Earlier epochs in a hello. */
export const MAX_EARLIER = 256;
/** Streams in a hello. */
export const MAX_STREAMS = 32;
/** Maximum nesting of objects and arrays in a record, a request, an answer or a configuration, including itself. */
export const MAX_DEPTH = 64;
/** Maximum length of the reason for a refusal, characters. */
export const MAX_REASON = 300;
/** Maximum number of ranges in one message. */
export const MAX_RANGES = 100;
/** Latest expiry of a command after its arrival, ms. */
export const MAX_COMMAND_LIFE_MS = DAY_MS;
