/** Example records for the description, by schema; a test holds each against its schema. */
import { DEVICE_EXAMPLES } from "./examples/devices.ts";
import { PLACE_EXAMPLES } from "./examples/places.ts";

export const SCHEMA_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = { ...DEVICE_EXAMPLES, ...PLACE_EXAMPLES };
