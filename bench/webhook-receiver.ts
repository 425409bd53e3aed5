/** A receiver of deliveries in a process of its own, so that its work is not counted: it reads all, answers 204, counts. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let requests = 0;
const server = createServer((request, response) => {
  request.on("data", () => undefined);
  request.on("end", () => {
    requests += 1;
    response.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (message) => {
  if (message === "count") process.send?.({ requests });
  else process.exit(0);
});
