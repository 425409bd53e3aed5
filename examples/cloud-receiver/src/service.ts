/** One copy of the service: all its parts, started and stopped in order. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fleetApi } from "./api.ts";
import { openBroker } from "./broker.ts";
import { CommandRounds } from "./command-rounds.ts";
import type { Configuration } from "./configuration.ts";
import { migrate, openPool } from "./database.ts";
import { startEnrolment } from "./enrolment-server.ts";
import type { Log } from "./log.ts";
import { Receiver } from "./receiver.ts";
import { Topics } from "./topics.ts";

/** Connections to the database for the API. */
const API_CONNECTIONS = 4;

export interface Service extends AsyncDisposable {
  /** Of the fleet's API. */
  readonly port: number;
}

/** Resolves when frames are taken and requests are answered. The caller disposes it. */
export async function startService(configuration: Configuration, log: Log): Promise<Service> {
  const { DATABASE_URL, WORKERS, RECEIVE_MAXIMUM, WINDOW, HTTP_PORT, HTTP_HOST, API_TOKEN, TOPIC_PREFIX, SHARE_GROUP } =
    configuration;
  await using stack = new AsyncDisposableStack();
  const nowMs = (): number => Date.now();
  const pool = stack.adopt(openPool(DATABASE_URL, WORKERS + API_CONNECTIONS), (opened) => opened.end());
  await migrate(pool);
  const broker = stack.use(await openBroker(configuration, log));
  const topics = new Topics(TOPIC_PREFIX);
  const receiver = new Receiver({
    pool,
    topics,
    window: WINDOW,
    log,
    nowMs,
    workers: WORKERS,
    send: (message) => broker.send(message),
  });
  const workers = {
    count: WORKERS,
    receiveMaximum: RECEIVE_MAXIMUM,
    filter: topics.up,
    group: SHARE_GROUP,
    take: receiver.take.bind(receiver),
  };
  stack.use(await broker.receive(workers));
  stack.use(receiver);
  stack.use(new CommandRounds({ pool, log, nowMs, send: receiver.sendCommand.bind(receiver) }));
  const { enrolment: settings } = configuration;
  const enrolment = settings === undefined ? null : stack.use(await startEnrolment(settings, { pool, log, nowMs }));
  const api = fleetApi({
    newToken: enrolment === null ? null : (asked) => enrolment.enrolment.newToken(asked),
    pool,
    token: API_TOKEN,
    nowMs,
    log,
    sendCommand: (gateway, id) => receiver.command(gateway, id),
    tell: (gateway, message) => receiver.tell(gateway, message),
  });
  api.listen(HTTP_PORT, HTTP_HOST);
  await once(api, "listening");
  stack.defer(() => api.closeAllConnections());
  stack.defer(() => void api.close());
  const { port } = api.address() as AddressInfo;
  const parts = stack.move();
  return { port, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
