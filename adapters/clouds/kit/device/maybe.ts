/** Parts of schemas for vendors' answers, which leave out, null and mistype at will: what is odd is null, never an error. */
import { z } from "hemgate/sdk";

/** A finite number; null for what is missing or anything else. */
export const maybeNumber = z.number().nullable().catch(null);
export const maybeText = z.string().nullable().catch(null);
export const maybeFlag = z.boolean().nullable().catch(null);
