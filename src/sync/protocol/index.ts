/** The cloud protocol, for authors of a cloud service: schemas, how messages are read, and how frames are packed. */
export { Batch, type Gap, LOSS_EVENT, Losses, SyncRecord, TelemetryPayload } from "./batch.ts";
export { ANSWER_EVENT, Answer, CONFIGURED_EVENT, Command, Configuration, Configured } from "./downlink.ts";
export type { Boot, Range } from "./fields.ts";
export { GatewayId, isShallow } from "./fields.ts";
export { fromFrame, toFrame, type Zstd } from "./frame.ts";
export { Ack, GapRequest, Goodbye, Hello, Refusal, type Refused, Welcome } from "./handshake.ts";
export { MAX_BATCH_BYTES, MAX_MESSAGE_BYTES, MAX_RANGES, MAX_REASON, MAX_WINDOW, PROTOCOL_VERSION } from "./limits.ts";
export { ProtocolError, parseToCloud, parseToGateway, type ToCloud, type ToGateway } from "./messages.ts";
export { type ReadBatch, readBatch, withoutRecords } from "./read-batch.ts";
