/** Receives webhooks of a gateway: checks who sent them, and takes each delivery once. */
import { createServer } from "node:http";
import { readWebhook } from "hemgate/client";

const { WEBHOOK_SECRET = "", PORT = "9000" } = process.env;
const MAX_BYTES = 1_000_000;
const MAX_REMEMBERED = 10_000;
/** Ids of deliveries that were taken. A program that keeps events in a database keeps these there, in one transaction. */
const taken = new Set<string>();

const server = createServer(async (request, response) => {
  if (!(Number(request.headers["content-length"]) <= MAX_BYTES)) return void response.writeHead(413).end();
  const body = Buffer.concat(await request.toArray());
  // The prefix of the headers is the gateway's `compat.namePrefix`.
  const id = String(request.headers["x-service-delivery"]);
  const signature = String(request.headers["x-service-signature-256"]);
  const events = await readWebhook({ secret: WEBHOOK_SECRET, body, signature });
  if (events === null) return void response.writeHead(401).end();
  // The same delivery comes again when the gateway did not get the answer.
  const isNew = !taken.has(id);
  taken.add(id);
  const [oldest = id] = taken;
  if (taken.size > MAX_REMEMBERED) taken.delete(oldest);
  response.writeHead(204).end();
  if (isNew) for (const { createdAt, event, user } of events) console.log(createdAt, event, user?.id ?? "-");
});

if (WEBHOOK_SECRET.length < 6) throw new Error("set WEBHOOK_SECRET to the secret of the webhook");
server.listen(Number(PORT), "127.0.0.1", () => console.log("listening", Object(server.address()).port));
