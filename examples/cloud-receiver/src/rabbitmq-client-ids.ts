/**
 * Answers what RabbitMQ's HTTP authorization backend asks: a gateway may use its own name as client id of MQTT, and no other.
 * Runs beside each node of RabbitMQ 3.10, which cannot check this itself; while it does not run, nobody can connect.
 */
import { createServer } from "node:http";
import { z } from "zod";

const Settings = z.object({ CLIENT_IDS_PORT: z.coerce.number().int().min(1).max(65_535) });

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  // Asked at each connection, before one with the same client id is ended for it. AMQP has no client id.
  const [clientId, username] = [searchParams.get("client_id"), searchParams.get("username")];
  const isOther = pathname === "/vhost" && clientId !== null && clientId !== username;
  // RabbitMQ's own permissions have to allow the rest.
  response.end(isOther ? "deny" : "allow");
});
server.listen(Settings.parse(process.env).CLIENT_IDS_PORT, "127.0.0.1", () => {
  process.stdout.write("ready\n");
});
