import type { CloudConnector } from "./kit/connector.ts";

/** Every vendor's cloud that can be linked, in the order of their names. */
export const CONNECTORS: readonly CloudConnector[] = [];
