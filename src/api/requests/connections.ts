/** Which connections to the API are kept when there are too many. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../config/config.ts";
import { ConnectionGate, type GatedSocket } from "../../platform/network/connection-gate.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Callers } from "../clients/callers.ts";

/** A connection has signed in once a request with a valid token or session came over it. */
export function limitConnections(
  api: FastifyInstance,
  parts: {
    readonly limits: Config["http"]["limits"];
    readonly callers: Callers;
    readonly clock: Pick<Clock, "monotonicMs">;
    readonly log: Pick<Log, "warn">;
  },
): void {
  const gate = new ConnectionGate({ ...parts, name: "API" });
  /** Requests under way of connections that have signed in. */
  const underWay = new WeakMap<GatedSocket, number>();
  api.server.on("connection", (socket) => gate.admit(socket));
  api.addHook("onRequest", ({ raw }, _reply, done) => {
    const { socket } = raw;
    if (parts.callers.of(raw).id === null) gate.use(socket);
    else {
      underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
      gate.serve(socket);
    }
    done();
  });
  api.addHook("onResponse", ({ raw }: FastifyRequest, _reply, done) => {
    const { socket } = raw;
    const left = (underWay.get(socket) ?? 0) - 1;
    if (left >= 0) underWay.set(socket, left);
    if (left === 0) gate.rest(socket);
    done();
  });
}
