/** Four nodes: the gateway with its client, readings, commands and events. Node-RED loads CommonJS; the client is a module. */
const loadClient = import("hemgate/client");

module.exports = (RED) => {
  /** The gateway: its address, and the id and secret of a client (`hemgate client create --name node-red`). */
  function Gateway(config) {
    RED.nodes.createNode(this, config);
    const { id, secret } = this.credentials;
    this.client = loadClient.then(({ createClient }) => createClient({ url: config.url, credentials: { id, secret } }));
  }
  RED.nodes.registerType("hemgate-gateway", Gateway, {
    credentials: { id: { type: "text" }, secret: { type: "password" } },
  });

  /** Answers each message with the devices of a kind as they are now; `msg.topic` has the id of one device. */
  function Readings(config) {
    RED.nodes.createNode(this, config);
    answer(this, async (message) => {
      const client = await clientOf(config.gateway);
      const kind = config.kind;
      if (message.topic)
        return await client.get(`${LISTS[kind]}/{${kind}Id}`, { path: { [`${kind}Id`]: message.topic } });
      return await Array.fromAsync(client.list(LISTS[kind]));
    });
  }
  RED.nodes.registerType("hemgate-readings", Readings);

  /** Sends `msg.payload` as the body of a command to the device `msg.topic`; answers with the action. */
  function Command(config) {
    RED.nodes.createNode(this, config);
    answer(this, async (message) => {
      const client = await clientOf(config.gateway);
      const [kind] = Object.entries(LISTS).find(([, list]) => config.command.startsWith(`${list}/`)) ?? [];
      if (!message.topic) throw new Error("msg.topic has to be the id of the device");
      return await client.post(config.command, { path: { [`${kind}Id`]: message.topic }, body: message.payload });
    });
  }
  RED.nodes.registerType("hemgate-command", Command);

  /** Sends a message for each event; goes on by itself after a break. */
  function Events(config) {
    RED.nodes.createNode(this, config);
    const end = new AbortController();
    this.on("close", () => end.abort());
    const names = (config.events ?? "").split(",").map((name) => name.trim());
    const isAsked = (name) => config.events === "" || names.includes(name);
    const follow = async () => {
      const client = await clientOf(config.gateway);
      for await (const message of client.events({ signal: end.signal })) {
        if (message.type === "live") this.status({ fill: "green", shape: "dot", text: "live" });
        if (message.type === "disconnected") this.status({ fill: "red", shape: "ring", text: "no connection" });
        if (message.type === "event" && isAsked(message.event.event)) {
          this.send({ topic: message.event.event, payload: message.event });
        }
      }
    };
    follow().catch((error) => this.error(error));
  }
  RED.nodes.registerType("hemgate-events", Events);

  async function clientOf(id) {
    const gateway = RED.nodes.getNode(id);
    if (gateway === null) throw new Error("no gateway is set");
    return await gateway.client;
  }

  /** A refusal of the gateway goes to the flow's catch nodes, with its message. */
  function answer(node, ask) {
    node.on("input", (message, send, done) => {
      ask(message).then(
        (payload) => {
          node.status({});
          send({ ...message, payload });
          done();
        },
        (error) => {
          node.status({ fill: "red", shape: "ring", text: error.message });
          done(error);
        },
      );
    });
  }
};

const LISTS = {
  battery: "/batteries",
  charger: "/chargers",
  hvac: "/hvacs",
  inverter: "/inverters",
  meter: "/meters",
  vehicle: "/vehicles",
};
