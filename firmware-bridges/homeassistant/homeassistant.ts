import type { Bridge } from "../kit/bridge.ts";
import { EntityDevice } from "./entity-device.ts";
import { announcementFilters, sightings } from "./sightings.ts";

const PREFIX = "homeassistant";

/** Whatever announces itself as Home Assistant expects it; what is understood stands in topics.md. */
export const homeassistant: Bridge = {
  name: "homeassistant",
  announcements: { filters: announcementFilters(PREFIX), sightings: (messages) => sightings(messages, PREFIX) },
  open: (options) => {
    const prefix = options.prefix ?? PREFIX;
    return new EntityDevice(options, {
      bridge: "homeassistant",
      prefix,
      announcements: announcementFilters(prefix),
      isOwn: ({ device }) => device.identifiers.includes(options.topic) || device.name === options.topic,
      // Names outside ASCII may be escaped in the text.
      isAboutOther: (text) => /^[\x20-\x7e]+$/.test(options.topic) && !text.includes(options.topic),
      everyMs: null,
    });
  },
};
