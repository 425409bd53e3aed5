/** Topics that only the gateway publishes at, its commands apart. */
const OWN_PREFIX = "hemgate/";

/** Where the gateway listens for commands: `hemgate/<kind>/<id>/<setting>/set`. */
export const COMMAND_FILTER = "hemgate/+/+/+/set";

/** Whether a topic is one of the gateway's own. */
export function isOwnTopic(topic: string): boolean {
  return topic === "hemgate" || topic.startsWith(OWN_PREFIX);
}

/** The id of the house as a whole in the topics of the energy manager, `hemgate/energy/<id>`. */
export const ENERGY_SITE = "site";
