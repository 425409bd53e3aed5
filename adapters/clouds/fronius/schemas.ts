/** Answers of the Solar.web Query API, with the parts that are used. */
import { z } from "hemgate/sdk";
import { maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

const PvSystem = z.object({ pvSystemId: z.string().min(1), name: maybeText });
export type PvSystem = z.infer<typeof PvSystem>;

export const PvSystems = z.object({ pvSystems: listOf(PvSystem) });

/** Null, and a text now and then, for what the system did not tell. */
const Channel = z.object({ channelName: z.string(), unit: maybeText, value: maybeNumber });
export type Channel = z.infer<typeof Channel>;
const Channels = z.array(Channel.nullable().catch(null)).catch([]);

export const FlowData = z.object({
  status: z
    .object({ isOnline: z.boolean().nullable().catch(null) })
    .nullable()
    .catch(null),
  data: z.object({ logDateTime: maybeText, channels: Channels }).nullable().catch(null),
});
export type FlowData = z.infer<typeof FlowData>;

export const AggrData = z.object({ data: listOf(z.object({ channels: Channels })) });

const Device = z.object({ deviceType: maybeText, deviceName: maybeText, serialnumber: maybeText });
export const Devices = z.object({ devices: z.array(Device.nullable().catch(null)) });
export type Devices = z.infer<typeof Devices>["devices"];

/** The body of a refusal. */
export const Refusal = z.object({ responseError: z.coerce.number() });
