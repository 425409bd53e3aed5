/** What both sides of the contract with a cloud service refuse to exceed. Bytes are of the JSON text, before packing. */

/** The contract that this code speaks. Another number is another contract; what only adds to it keeps the number. */
export const PROTOCOL_VERSION = 1;

/** One message, whatever its kind. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
/** What a batch aims at; a single record may make it larger, up to `MAX_MESSAGE_BYTES`. */
export const MAX_BATCH_BYTES = 192 * 1024;
export const MAX_BATCH_RECORDS = 500;
/** Batches of one gateway that may be on their way at once, whatever the other side allows. */
export const MAX_WINDOW = 32;
/** Starts that a hello tells of. */
export const MAX_BOOTS = 256;
/** Epochs before the present ones that a hello tells of. */
export const MAX_EARLIER = 256;
/** Streams that a hello tells of. */
export const MAX_STREAMS = 32;
/** Objects and arrays within each other in a record, a request, an answer or a configuration, itself among them. */
export const MAX_DEPTH = 64;
/** Text that says why something was refused, characters. */
export const MAX_REASON = 300;
/** Ranges of numbers in one message. */
export const MAX_RANGES = 100;
/** No command may expire later than this after it arrived, ms. */
export const MAX_COMMAND_LIFE_MS = 24 * 3_600_000;
