/**
 * Answers of tado's two interfaces. There is no documentation by tado: fields are those that two libraries and the
 * community's OpenAPI document agree on (erwindouna/python-tado, wmalgadey/PyTado, kritsel/tado-openapispec-v2).
 */
import { z } from "hemgate/sdk";
import { maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

export const Me = z.object({ homes: listOf(z.object({ id: z.number(), name: maybeText })) });

/** `LINE_X` is served by the other interface. */
export const Home = z.object({ generation: maybeText });

const Zone = z.object({
  id: z.number(),
  name: maybeText,
  type: z.string(),
  devices: listOf(z.object({ deviceType: maybeText, serialNo: maybeText, currentFwVersion: maybeText })).catch([]),
});
export type Zone = z.infer<typeof Zone>;
export const Zones = listOf(Zone);

const Celsius = z.object({ celsius: maybeNumber }).nullable().catch(null);
const Timed = { timestamp: maybeText };

export const Setting = z.looseObject({
  type: maybeText,
  power: maybeText,
  mode: maybeText.optional(),
  temperature: Celsius.optional(),
});
export type Setting = z.infer<typeof Setting>;

export const ZoneState = z.object({
  setting: Setting,
  overlay: z
    .object({ termination: z.object({ type: maybeText }).nullable().catch(null) })
    .nullable()
    .catch(null),
  overlayType: maybeText,
  link: z.object({ state: maybeText }).nullable().catch(null),
  activityDataPoints: z
    .object({
      heatingPower: z
        .object({ percentage: maybeNumber, ...Timed })
        .nullable()
        .catch(null),
      acPower: z
        .object({ value: maybeText, ...Timed })
        .nullable()
        .catch(null),
    })
    .catch({ heatingPower: null, acPower: null }),
  sensorDataPoints: z
    .object({
      insideTemperature: z
        .object({ celsius: maybeNumber, ...Timed })
        .nullable()
        .catch(null),
    })
    .catch({ insideTemperature: null }),
});
export type ZoneState = z.infer<typeof ZoneState>;

export const ZoneStates = z.object({ zoneStates: z.record(z.string(), z.unknown()) });

/** No room is held at anything else. */
const RoomCelsius = z.number().min(0).max(50);

const Temperatures = z
  .object({ celsius: z.object({ min: RoomCelsius, max: RoomCelsius, step: z.number().min(0.01).max(5).catch(0.1) }) })
  .nullable()
  .catch(null);
export type Temperatures = z.infer<typeof Temperatures>;

/** What may be set in one mode of an air conditioner, and beside `temperatures` which values its other settings take. */
const AcMode = z.looseObject({ temperatures: Temperatures });
export type AcMode = z.infer<typeof AcMode>;

const MaybeAcMode = AcMode.nullable().catch(null);

export const Capabilities = z.object({
  type: z.string(),
  temperatures: Temperatures,
  HEAT: MaybeAcMode,
  COOL: MaybeAcMode,
});
export type Capabilities = z.infer<typeof Capabilities>;

/** A room of the X line. */
const Room = z.object({
  id: z.number(),
  name: maybeText,
  sensorDataPoints: z
    .object({ insideTemperature: z.object({ value: maybeNumber }).nullable().catch(null) })
    .catch({ insideTemperature: null }),
  setting: z.object({ power: maybeText, temperature: z.object({ value: maybeNumber }).nullable().catch(null) }),
  heatingPower: z.object({ percentage: maybeNumber }).nullable().catch(null),
  connection: z.object({ state: maybeText }).nullable().catch(null),
  manualControlTermination: z.object({ type: maybeText }).nullable().catch(null),
  boostMode: z.object({ type: maybeText }).nullable().catch(null),
});
export type Room = z.infer<typeof Room>;
export const Rooms = listOf(Room);
/** What of them does not change. */
export const NamedRooms = z.array(Room.pick({ id: true, name: true }));
