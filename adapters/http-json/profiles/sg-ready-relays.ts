/**
 * Two relays on the SG Ready inputs of a heat pump: the first blocks it, the second asks it to take more, and none leaves it
 * to itself. A contact opens before the other one closes, so that both together (ordered on) never come about.
 */
import type { Condition, Provenance } from "hemgate/sdk";
import {
  defineHttpProfile,
  type HttpControl,
  type HttpField,
  type HttpPoint,
  type HttpProfile,
  type HttpWrite,
} from "../http-profile.ts";
import { RPC, RPC_NOTES, SHELLY_GEN1 } from "./shelly.ts";
import { TASMOTA_WEB } from "./tasmota.ts";

/** A relay that nobody switches again opens by itself after this time, s: SG Ready holds a state for ten minutes at least. */
const TIMER_S = 900;
/** Relays whose owner has given them that time are switched again this often. */
const RENEW_MS = 360_000;
/** Contacts of relays rest before the other one closes. */
const REST_MS = 500;

type Relay = "block" | "raise";

/** One output cannot do for both. */
const ARE_TWO: Condition = { not: { of: { minus: [{ setting: "block" }, { setting: "raise" }] }, is: 0 } };

interface Relays extends Provenance {
  /** Where the state of a relay stands; true is closed. */
  state(relay: Relay): Pick<HttpField, "from" | "path">;
  readonly states?: NonNullable<HttpPoint["states"]>;
  /** Path of the request that switches a relay. */
  path(relay: Relay, isClosed: boolean): string;
  readonly hold?: NonNullable<HttpControl["hold"]>;
  readonly renewMs?: number;
}

function outputs(first: number) {
  const setting = { unit: "", min: 0, max: 100 } as const;
  return {
    block: { ...setting, meaning: "Which output is on the input that blocks (SG Ready 1)", default: first },
    raise: { ...setting, meaning: "Which output is on the input that asks for more (SG Ready 2)", default: first + 1 },
  } as const;
}

function sgReady({ state, states, path, hold, renewMs, confidence, source }: Relays) {
  const point = (relay: Relay): HttpPoint => ({
    key: `raw.${relay}`,
    ...state(relay),
    ...(states === undefined ? { type: "boolean" } : { type: "state", states }),
    confidence,
    source,
  });
  const open = (relay: Relay): HttpWrite => ({ method: "GET", path: path(relay, false), pauseMs: REST_MS });
  const close = (relay: Relay): HttpWrite => ({ method: "GET", path: path(relay, true), when: ARE_TWO });
  const control: HttpControl = {
    point: "hvac.mode",
    safeDefault: "AUTO",
    write: {
      cases: [
        { value: "OFF", steps: [open("raise"), close("block")] },
        { value: "AUTO", steps: [open("block"), open("raise")] },
        { value: "HEAT", steps: [open("block"), close("raise")] },
      ],
    },
    ...(hold === undefined ? {} : { hold }),
    ...(renewMs === undefined ? {} : { renewMs }),
    approximate:
      "Shows what the relays do, not the heat pump. HEAT recommends to run, OFF blocks for at most two hours in most pumps.",
    confidence,
    source,
  };
  const isClosed = (relay: Relay) => ({ of: { of: `raw.${relay}` }, is: true }) as const;
  return {
    points: [point("block"), point("raise")],
    derived: [
      {
        point: "hvac.mode",
        value: {
          when: ARE_TWO,
          gives: {
            when: isClosed("raise"),
            gives: "HEAT",
            otherwise: { when: isClosed("block"), gives: "OFF", otherwise: "AUTO" },
          },
          otherwise: "UNKNOWN",
        },
      },
    ],
    controls: [control],
  } as const;
}

const NOTES = [
  "Wire the first output to the input of the heat pump that blocks, the second to the one that asks for more, and check both with confirmUnverified on.",
  "Set the energy manager's powerKw to the power that the heat pump takes: the relays do not measure it.",
];
const OWN_TIMER = `after ${TIMER_S} s without the gateway the relay opens by itself`;

/** Relays of Shelly and Tasmota as SG Ready inputs. */
export const SG_READY_RELAYS: readonly HttpProfile[] = [
  defineHttpProfile({
    ...RPC,
    id: "shelly-gen2-sg-ready",
    model: "Two relays as SG Ready inputs of a heat pump, second generation and later",
    ...sgReady({
      state: (relay) => ({ from: "status", path: `/switch:{${relay}}/output` }),
      path: (relay, isClosed) =>
        `/rpc/Switch.Set?id={${relay}}&on=${isClosed}${isClosed ? `&toggle_after=${TIMER_S}` : ""}`,
      hold: {
        holdMs: TIMER_S * 1_000,
        fallback: OWN_TIMER,
        confidence: "vendor-list",
        source: "Shelly's API documentation: toggle_after",
      },
      confidence: "vendor-list",
      source: "Shelly's API documentation: Switch.Set",
    }),
    settings: outputs(0),
    notes: [...RPC_NOTES, ...NOTES, "Outputs are counted from 0. A roller shutter has to be in the profile switch."],
  }),
  defineHttpProfile({
    ...SHELLY_GEN1,
    id: "shelly-gen1-sg-ready",
    model: "Two relays as SG Ready inputs of a heat pump, first generation",
    ...sgReady({
      state: (relay) => ({ from: "status", path: `/relays/{${relay}}/ison` }),
      path: (relay, isClosed) =>
        `/relay/{${relay}}?turn=${isClosed ? "on" : "off"}${isClosed ? `&timer=${TIMER_S}` : ""}`,
      hold: {
        holdMs: TIMER_S * 1_000,
        fallback: OWN_TIMER,
        confidence: "vendor-list",
        source: "Shelly's API documentation: timer",
      },
      confidence: "vendor-list",
      source: "Shelly's API documentation: /relay",
    }),
    settings: outputs(0),
    notes: [...SHELLY_GEN1.notes, ...NOTES, "Outputs are counted from 0. A Shelly 2.5 has to be in the mode relay."],
  }),
  defineHttpProfile({
    ...TASMOTA_WEB,
    id: "tasmota-http-sg-ready",
    model: "Two relays as SG Ready inputs of a heat pump",
    polls: [{ id: "states", poll: "fast", path: "/cm?cmnd=Status%2011" }, ...TASMOTA_WEB.polls.slice(1)],
    ...sgReady({
      state: (relay) => ({ from: "states", path: `/StatusSTS/POWER{${relay}}` }),
      states: { values: { ON: true, OFF: false }, otherwise: null },
      path: (relay, isClosed) => `/cm?cmnd=Power{${relay}}%20${isClosed ? "On" : "Off"}`,
      renewMs: RENEW_MS,
      confidence: "vendor-list",
      source: "Tasmota's documents: Power, Status 11",
    }),
    settings: outputs(1),
    notes: [
      "The password of the web interface, where there is one.",
      ...NOTES,
      "Outputs are counted from 1. Set PulseTime of both to 1000 (15 min) on the device: then a relay opens by itself when the gateway is gone, which switches it again well before.",
    ],
  }),
];
